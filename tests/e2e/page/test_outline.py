"""The outline of a page as the page functions give it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.e2e.page.conftest import Page


def brief(nodes: list[list[Any]]) -> list[tuple[int, str, str]]:
    return [(node[0], node[1], node[2]) for node in nodes]


def names(nodes: list[list[Any]]) -> list[str]:
    return [node[2] for node in nodes]


def states(nodes: list[list[Any]], name: str) -> dict[str, Any]:
    return next(node[4] for node in nodes if node[2] == name) or {}


def test_a_form_reads_as_labelled_controls(page: Page) -> None:
    page.show("<h1>Order</h1><label for=a>Name</label><input id=a value='Ada'><button>Send <b>now</b></button>")
    assert brief(page.read()) == [(0, "heading", "Order"), (0, "textbox", "Name"), (0, "button", "Send now")]


def test_the_content_that_named_a_link_is_not_told_again(page: Page) -> None:
    page.show("<p>See <a href=/x>the <em>whole</em> story <img alt=here></a> now</p>")
    assert brief(page.read()) == [(0, "text", "See"), (0, "link", "the whole story here"), (0, "text", "now")]


def test_text_is_joined_across_inline_elements_and_split_by_blocks(page: Page) -> None:
    page.show("<div>one <b>two</b> <i>three</i></div><div>four<br>five</div>")
    assert brief(page.read()) == [(0, "text", "one two three"), (0, "text", "four five")]


def test_generic_wrappers_take_no_depth(page: Page) -> None:
    page.show("<div><div><ul><li><div><a href=/a>A</a></div></li><li>plain</li></ul></div></div>")
    assert brief(page.read()) == [(0, "list", ""), (1, "listitem", ""), (2, "link", "A"), (1, "listitem", "plain")]


def test_what_nobody_sees_is_left_out(page: Page) -> None:
    page.show("""
      <p style='display:none'>a</p><p aria-hidden=true>b</p><p inert>c</p><p style='content-visibility:hidden'>d</p>
      <div style='visibility:hidden'>e<b style='visibility:visible'>shown</b></div>
      <details><summary>more</summary>f</details><p style='opacity:0'>faint</p><script>g</script><template>h</template>
      <div style='display:contents'>kept</div><div hidden>i</div>""")
    assert names(page.read()) == ["shown", "more", "faint", "kept"]


def test_shadow_roots_open_and_closed_are_read_with_their_slots(page: Page) -> None:
    page.show("""<x-a>slotted</x-a><div id=c></div><script>
      document.querySelector("x-a").attachShadow({mode: "closed"}).innerHTML = "<button>before <slot></slot></button>";
      document.getElementById("c").attachShadow({mode: "open"}).innerHTML = "<h2>inside</h2>";
    </script>""")
    assert brief(page.read()) == [(0, "button", "before slotted"), (0, "heading", "inside")]


def test_a_modal_dialog_makes_the_rest_inert(page: Page) -> None:
    page.show("<button>behind</button><dialog id=d><button>OK</button></dialog><script>d.showModal()</script>")
    assert brief(page.read()) == [(0, "dialog", ""), (1, "button", "OK")]


def test_a_modal_dialog_inside_a_shadow_root_makes_the_rest_inert(page: Page) -> None:
    page.show("""<button>behind</button><div id=h></div><script>
      const root = h.attachShadow({mode: "closed"});
      root.innerHTML = "<dialog><button>OK</button></dialog>"; root.firstChild.showModal();</script>""")
    assert brief(page.read()) == [(0, "dialog", ""), (1, "button", "OK")]


def test_an_element_is_clickable_where_the_pointer_says_so_first(page: Page) -> None:
    page.show("<div style='cursor:pointer'><span>Card</span></div><div onclick='1'>Old</div><span>plain</span>")
    nodes = page.read()
    assert brief(nodes) == [(0, "generic", "Card"), (0, "generic", "Old"), (0, "text", "plain")]
    assert [bool(node[3]) for node in nodes] == [True, True, False]


def test_interactive_elements_and_structure_have_refs_and_text_has_none(page: Page) -> None:
    page.show("""<main><h1>T</h1><p>text</p><table><tr><td>cell</td></tr></table>
      <img alt=pic><div tabindex=0>stop</div>
      <ul><li>item</li></ul></main>""")
    with_ref = {node[1]: bool(node[3]) for node in page.read()}
    assert {role for role, has in with_ref.items() if has} == {
        "main",
        "heading",
        "table",
        "row",
        "img",
        "generic",
        "list",
    }
    assert {role for role, has in with_ref.items() if not has} == {"text", "cell", "listitem"}


def test_the_value_of_a_password_is_never_told(page: Page) -> None:
    page.show("<input type=password aria-label=Secret value=hunter2>")
    nodes = page.read()
    assert states(nodes, "Secret") == {"value": "••", "type": "password"}
    assert "hunter2" not in str(page.call("snapshot"))


def test_states_are_told_where_they_hold(page: Page) -> None:
    page.show("""
      <input type=checkbox aria-label=a checked><input type=checkbox aria-label=b>
      <div role=checkbox aria-label=c aria-checked=mixed></div><button aria-pressed=true aria-label=d disabled></button>
      <input aria-label=e required readonly value=v placeholder=p aria-invalid=true>
      <h3>f</h3><select aria-label=g><option>one</option><option selected>two</option></select>
      <a href=/l aria-label=h aria-current=page></a>
      <button aria-label=i aria-expanded=false aria-haspopup=menu></button>
      <div role=option aria-selected=true>j</div><fieldset disabled><button>k</button></fieldset>
      <button title=more>l</button>""")
    nodes = page.read()
    assert states(nodes, "a") == {"checked": True}
    assert states(nodes, "b") == {}
    assert states(nodes, "c") == {"checked": "mixed"}
    assert states(nodes, "d") == {"pressed": True, "disabled": True}
    assert states(nodes, "e") == {"value": "v", "required": True, "readonly": True, "invalid": True, "placeholder": "p"}
    assert states(nodes, "f") == {"level": 3}
    assert states(nodes, "g") == {"value": "two", "options": ["one", "two"]}
    assert states(nodes, "h")["current"] == "page"
    assert states(nodes, "h")["url"].endswith("/l")
    assert states(nodes, "i") == {"expanded": False, "haspopup": "menu"}
    assert states(nodes, "j") == {"selected": True}
    assert states(nodes, "k") == {"disabled": True}
    assert states(nodes, "l") == {"description": "more"}


def test_the_focused_element_is_told_inside_a_closed_shadow_root(page: Page) -> None:
    page.show("""<div id=h></div><script>const root = h.attachShadow({mode: "closed"});
      root.innerHTML = "<input aria-label=in>"; root.firstChild.focus()</script>""")
    assert states(page.read(), "in") == {"focused": True}


def test_owned_elements_stand_under_their_owner(page: Page) -> None:
    page.show("<div id=m role=menuitem>Late</div><div role=menu aria-label=M aria-owns=m></div>")
    assert brief(page.read()) == [(0, "menu", "M"), (1, "menuitem", "Late")]


def test_elements_that_own_each_other_are_still_read(page: Page) -> None:
    page.show("<div id=a role=menu aria-label=A aria-owns=b></div><div id=b role=menu aria-label=B aria-owns=a></div>")
    assert sorted(names(page.read())) == ["A", "B"]


def test_frames_are_tied_by_their_index(page: Page) -> None:
    page.show(
        """<iframe srcdoc='<h1>inner</h1>' title=same></iframe><iframe src='{other}/far' title=cross></iframe>
        <iframe sandbox=allow-scripts src='{other}/far' title=boxed></iframe><div id=h></div><script>
        h.attachShadow({mode: "closed"}).innerHTML = "<iframe srcdoc=x title=shadowed></iframe>"</script>""",
        far="<title>far</title><h1>far</h1>",
    )
    outlines = page.frames("snapshot")
    top = next(outline for outline in outlines if outline["index"] is None)
    assert {node[2]: node[4]["frame"] for node in top["nodes"]} == {"same": 0, "cross": 1, "boxed": 2, "shadowed": -1}
    heads = {outline["index"]: outline["nodes"][0][2] for outline in outlines if outline is not top}
    assert heads == {0: "inner", 1: "far", 2: "far", -1: "x"}


def test_a_subtree_is_read_by_its_ref(page: Page) -> None:
    page.show("<nav aria-label=Top><a href=/a>A</a></nav><main><a href=/b>B</a></main>")
    ref = page.ref("navigation")
    assert brief(page.read(ref)) == [(0, "navigation", "Top"), (1, "link", "A")]
    assert page.call("snapshot", {"ref": 99999}) == {"status": "unknown"}


def test_text_of_any_script_comes_back_whole(page: Page) -> None:
    text = "👩‍👩‍👧 می‌خواهم \u200fעברית a\u00a0b 登录"
    page.show(f"<p>{text}</p><button>{text}</button>")
    assert names(page.read()) == [text, text]


@pytest.mark.parametrize(
    "name", ["childNodes", "firstChild", "parentNode", "attributes", "getAttribute", "localName", "nodeType", "body"]
)
def test_a_form_cannot_hide_itself_behind_named_inputs(page: Page, name: str) -> None:
    field = f"<input name={name} id={name} aria-label=I>"
    page.show(f"<form aria-label=F name=body id=freeholdPage>before {field} after</form>")
    expected = [(0, "form", "F"), (1, "text", "before"), (1, "textbox", "I"), (1, "text", "after")]
    assert brief(page.read()) == expected


def test_reading_leaves_no_trace_in_the_page(page: Page) -> None:
    page.show("""<form><input id=i aria-label=x><button>b</button></form><select><option>o</option></select><script>
      window.seen = [];
      const observer = new MutationObserver((all) => seen.push(...all));
      observer.observe(document, {subtree: true, childList: true, attributes: true});
      for (const type of ["focus", "blur", "scroll", "selectionchange"])
        addEventListener(type, () => seen.push(type), true);
    </script>""")
    page.evaluate("document.activeElement.blur(), seen.length = 0")
    page.read()
    page.call("text")
    assert (
        page.evaluate("new Promise((done) => setTimeout(done)).then(() => seen.length + ' ' + typeof freeholdPage)")
        == "0 undefined"
    )


def test_five_thousand_levels_are_walked(page: Page) -> None:
    page.show("<div>" * 5000 + "<button>deep</button>" + "</div>" * 5000)
    assert brief(page.read()) == [(0, "button", "deep")]
    page.evaluate("""(() => { let at = document.body.appendChild(document.createElement("a")); at.href = "/x";
      for (let i = 0; i < 5000; i += 1) at = at.appendChild(document.createElement("span"));
      at.textContent = "linked"; })()""")
    assert brief(page.read())[1:] == [(0, "link", "linked")]


def test_a_hundred_nested_shadow_roots_are_walked(page: Page) -> None:
    page.show("""<div id=h></div><script>let at = h; for (let i = 0; i < 100; i += 1) {
      const root = at.attachShadow({mode: i % 2 ? "closed" : "open"});
      root.innerHTML = `<button>b${i}</button><div></div>`; at = root.lastChild; }</script>""")
    assert names(page.read()) == [f"b{number}" for number in range(100)]


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        ("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><a href='/x'><text>go</text></a></svg>", ["go"]),
        ("application/xml", "<note><to>Ada</to></note>", ["<to>Ada</to>"]),
        ("text/plain", "just text", ["just text"]),
    ],
)  # fmt: skip
def test_documents_that_are_no_html_are_read(page: Page, kind: str, body: str, expected: list[str]) -> None:
    page.tab.navigate(page.serve(body, kind=kind))
    assert set(expected) <= set(names(page.read()))
    assert "text" in page.call("text")


def test_an_image_of_its_own_is_read(page: Page) -> None:
    pixel = "GIF89a\x01\0\x01\0\0\0\0;"
    page.tab.navigate(page.serve(pixel, kind="image/gif"))
    assert page.call("snapshot")["status"] == "ok"
    assert page.call("text")["status"] == "ok"


def test_ten_thousand_controls_and_fifty_thousand_nodes_are_read(page: Page) -> None:
    field = "<label>Field <input></label><p>some <b>bold</b> text</p>"
    row = f"<div>{field}<a href=/x>Link <i>it</i></a><button>Go</button></div>"
    page.show(row * 3400)
    outline = page.call("snapshot")
    assert page.evaluate("document.evaluate('count(//node())', document).numberValue") > 50000
    assert outline["fresh"] == 3 * 3400
    assert outline["nodes"][-1][:3] == [0, "button", "Go"]


def test_a_document_cannot_hide_its_own_properties(page: Page) -> None:
    names = (
        "URL",
        "body",
        "activeElement",
        "querySelectorAll",
        "scrollingElement",
        "title",
        "documentElement",
        "getElementById",
    )
    page.show(
        "".join(f"<img name={name} id={name}>" for name in names)
        + "<button aria-labelledby=t>x</button><b id=t>named</b>"
    )
    outline = page.call("snapshot")
    assert outline["url"].startswith("http://127.0.0.1")
    assert outline["nodes"][0][:3] == [0, "button", "named"]
    assert page.call("activeElement") is None


def test_an_empty_frame_is_read_as_empty(page: Page) -> None:
    page.show("<iframe title=none></iframe>")
    empty = next(outline for outline in page.frames("snapshot") if outline["index"] == 0)
    assert (empty["nodes"], empty["url"]) == ([], "about:blank")


def test_generated_content_is_part_of_names_and_text(page: Page) -> None:
    page.show("""<style>
      button::before { content: "* " } p::after { content: "!" } i::before { content: "\\e900" }</style>
      <button>Go</button><p>Hi <i>x</i></p>""")
    assert names(page.read()) == ["* Go", "Hi x!"]


def test_a_label_speaks_for_a_control_that_is_not_rendered(page: Page) -> None:
    page.show("<label style='cursor:pointer'>Agree<input type=checkbox style='display:none'></label>")
    nodes = page.read()
    assert brief(nodes) == [(0, "generic", "Agree")]
    assert nodes[0][3] > 0
