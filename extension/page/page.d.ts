// The types that the classic scripts of this folder share. Nothing here runs.
declare global {
  var freeholdPage: FreeholdPage;
  type Status = "ok" | "unknown" | "removed";
  type Resolved = { status: "ok"; element: Element } | { status: "unknown" | "removed" };
  type NameSource = "author" | "label" | "native" | "content" | "title" | "placeholder" | "";
  interface AccessibleName { name: string; from: NameSource }
  /** One computation of accname: `visited` nodes contribute once; `hidden` when the walk began at a hidden element. */
  interface NameWalk { target: Element; visited: Set<Node>; referenced: boolean; hidden: boolean }
  type OutlineNode = [depth: number, role: string, name: string, ref: number, states: Record<string, unknown> | 0];
  interface WalkFrame {
    element: any; depth: number; block: boolean; pointer: boolean; visible: boolean; quiet: boolean; node: number;
    children: Node[]; index: number; opened: boolean;
  }
  interface Described { role: string; name: string; ref: number }
  interface RefState { byNumber: Map<number, WeakRef<Element>>; byElement: WeakMap<Element, number>; pending: WeakRef<Element>[]; highest: number }
  interface Box { left: number; top: number; right: number; bottom: number }
  interface FieldAnswer { value?: unknown; error?: { code: string; message: string; data: Record<string, unknown> } }
  interface FieldWords {
    notEditable(message: string, data?: Record<string, unknown>): FieldAnswer;
    notAllowed(message: string, data?: Record<string, unknown>): FieldAnswer;
    truth(value: unknown): boolean | null;
  }
  type Root = Document | ShadowRoot;
  interface DomAccess {
    nodeType(node: Node): number;
    parentNode(node: Node): ParentNode | null;
    firstChild(node: Node): ChildNode | null;
    nextSibling(node: Node): ChildNode | null;
    isConnected(node: Node): boolean;
    ownerDocument(node: Node): Document;
    nodeValue(node: Node): string | null;
    textContent(node: Node): string | null;
    localName(element: Element): string;
    namespaceURI(element: Element): string | null;
    shadowRoot(element: Element): ShadowRoot | null;
    assignedSlot(element: Element): HTMLSlotElement | null;
    clientLeft(element: Element): number;
    clientTop(element: Element): number;
    scrollTop(element: Element): number;
    scrollLeft(element: Element): number;
    scrollWidth(element: Element): number;
    scrollHeight(element: Element): number;
    clientWidth(element: Element): number;
    clientHeight(element: Element): number;
    labelledByElements(element: Element): Element[] | null;
    describedByElements(element: Element): Element[] | null;
    offsetWidth(element: Element): number;
    offsetHeight(element: Element): number;
    isContentEditable(element: Element): boolean;
    tabIndex(element: Element): number;
    body(): HTMLElement | null;
    documentElement(): Element | null;
    title(): string | null;
    activeElement(root: Root): Element | null;
    attribute(element: Element, name: string): string | null;
    has(element: Element, name: string): boolean;
    rect(element: Element): DOMRect;
    rects(element: Element): DOMRectList;
    matches(element: Element, selector: string): boolean;
    closest(element: Element, selector: string): Element | null;
    checkVisibility(element: Element, options: CheckVisibilityOptions): boolean;
    contains(outer: Node, inner: Node): boolean;
    root(node: Node): Node;
    focus(element: Element): void;
    click(element: Element): void;
    all(root: Document | DocumentFragment | Element, selector: string): Element[];
    byId(root: Root, id: string): Element | null;
    fromPoint(root: Root, x: number, y: number): Element | null;
  }
  interface FreeholdPage {
    [internal: string]: any;
    dom: DomAccess;
  }
}
export {};
