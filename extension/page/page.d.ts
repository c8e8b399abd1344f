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
    element: any; depth: number; block: boolean; pointer: boolean; visible: boolean; quiet: boolean; barred: boolean; node: number;
    children: Node[]; index: number; opened: boolean;
  }
  interface Described { role: string; name: string; ref: number }
  interface RefState { byNumber: Map<number, WeakRef<Element> | null>; byElement: WeakMap<Element, number>; pending: WeakRef<Element>[]; highest: number }
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
    scrollingElement(): Element | null;
    command(name: string, value?: string): boolean;
    show(element: Element): void;
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
  type Refusal = { status: "unknown" | "removed" };
  interface Snapshot {
    status: "ok"; index: number | null; url: string; title: string; viewport: Record<string, number>;
    /** OutlineNode[] as JSON. */
    nodes: string;
    /** How many nodes carry a negative number. */
    fresh: number;
    /** The highest number given out in this document. */
    highest: number;
  }

  interface FreeholdPage {
    // What the service worker calls (PROTOCOL.md 3.1 and 3.2).
    snapshot(options?: { ref?: number | null }): Snapshot | Refusal;
    commit(base: number, count?: number): { status: "ok" | "stale" };
    describe(ref: number): object;
    locate(ref: number, options?: { scroll?: boolean }): object;
    framePoint(index: number, x: number, y: number): object;
    hitTest(x: number, y: number): object;
    focus(ref: number): object;
    activeElement(): object | null;
    setValue(ref: number, value: unknown): object;
    text(): object;
    settle(options?: { quiet_ms?: number; limit_ms?: number }): Promise<object>;
    draw(options?: { limit_ms?: number }): Promise<object>;
    scrollPosition(ref?: number | null): object;

    // What these files offer each other.
    refState?: RefState;
    dom: DomAccess;
    tree: {
      children(node: Node): Node[];
      parent(node: Node): Element | null;
      contains(outer: Element, inner: Node): boolean;
      owned(owner: Element): Element[];
      shadowOf(element: Element): ShadowRoot | null;
      roots(): Root[];
      focused(): Element | null;
    };
    refs: {
      number(element: Element): number;
      resolve(ref: number): Resolved;
      begin(): void;
      take(element: Element): number;
      fresh(): number;
      highest(): number;
    };
    visibility: {
      prunes(element: Element, style: CSSStyleDeclaration): boolean;
      barred(element: Element): boolean;
      hidden(element: Element): boolean;
      modal(): Element | null;
    };
    role: {
      role(element: Element): string;
      explicit(element: Element): string;
      focusable(element: Element): boolean;
      editingHost(element: Element): boolean;
      set(words: string): Set<string>;
    };
    label: {
      indexed<T>(work: () => T): T;
      labels(control: Element): Element[];
      control(label: Element): Element | null;
    };
    generated(element: Element, which: "::before" | "::after"): string;
    generatedOnce<T>(work: () => T): T;
    shadowMet(shadow: ShadowRoot): void;
    embedded(element: Element, role: string): string;
    name: {
      compute(element: Element, role?: string): AccessibleName;
      author(element: Element, role: string): AccessibleName;
      description(element: Element, name: AccessibleName): string;
      nested(element: Element, walk: NameWalk): string | null;
      collapse(text: string): string;
    };
    nameContent: { content(root: Element, walk: NameWalk): string };
    frames: {
      indexOf(element: Element): number | undefined;
      ownIndex(): number | null;
      elementOf(index: number): Element | null;
      origin(element: Element): { x: number; y: number; scaleX: number; scaleY: number };
    };
    state: { states(element: Element, role: string, name: AccessibleName, focused: Element | null): Record<string, unknown> | 0 };
    hint(element: Element, role: string, name: AccessibleName): string;
    kind: {
      clickable(element: Element, role: string, pointer: boolean): boolean;
      shown(role: string, name: string): boolean;
      referenced(element: Element, role: string, name: string): boolean;
      leaf(element: Element, role: string): boolean;
      insideName(role: string): boolean;
      passive(role: string): boolean;
      tabStop(element: Element): boolean;
      operable(element: Element, role: string): boolean;
    };
    hit: { at(x: number, y: number): Element | null; brief(element: Element): Described };
    editable(element: Element): boolean;
    widgets: { set(element: Element, value: unknown, words: FieldWords): FieldAnswer };
  }
}
export {};
