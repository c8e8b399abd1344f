"""A sample of every element of HTML-AAM 1.0 and of every role of WAI-ARIA 1.2: the element in question has the id t."""

from __future__ import annotations

# ruff: noqa: E501, SIM905 - a sample is read on one line, a list of words as words

_PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="

# Elements whose sample is `<x id=t>text</x>`.
_PLAIN = (
    "abbr address article b bdi bdo blockquote button cite code data del dfn div em fieldset figure form h1 h2 h3 h4 h5 h6 "
    "hgroup i ins kbd label main mark menu meter nav output p pre progress q ruby s samp search section small span strong "
    "sub sup time u var x-custom aside footer header noscript template"
).split()

_INPUTS = (
    "button checkbox color date datetime-local email file hidden image month number password radio range reset search "
    "submit tel text time url week"
).split()

ELEMENTS: dict[str, str] = {
    **{name: f"<{name} id=t>text</{name}>" for name in _PLAIN},
    **{f"input type={kind}": f"<input id=t type={kind} aria-label=n>" for kind in _INPUTS},
    "a with href": "<a id=t href=/x>text</a>",
    "a without href": "<a id=t>text</a>",
    "area with href": f"<img alt=m src='{_PIXEL}' usemap=#m width=9 height=9><map name=m><area id=t alt=a href=/x></map>",
    "area without href": f"<img alt=m src='{_PIXEL}' usemap=#m width=9 height=9><map name=m><area id=t alt=a></map>",
    "aside in a section, without a name": "<section aria-label=s><aside id=t>text</aside></section>",
    "aside in a section, with a name": "<section aria-label=s><aside id=t aria-label=a>text</aside></section>",
    "audio": "<audio id=t controls></audio>",
    "br": "a<br id=t>b",
    "canvas": "<canvas id=t width=9 height=9></canvas>",
    "caption": "<table><caption id=t>text</caption><tr><td>1<td>2<tr><td>3<td>4</table>",
    "col": "<table><colgroup><col id=t></colgroup><tr><td>1</table>",
    "colgroup": "<table><colgroup id=t><col></colgroup><tr><td>1</table>",
    "datalist": "<input list=t aria-label=n><datalist id=t><option>a</datalist>",
    "dd": "<dl><dt>a<dd id=t>b</dl>",
    "details": "<details id=t open><summary>more</summary>text</details>",
    "dialog": "<dialog id=t open>text</dialog>",
    "dl": "<dl id=t><dt>a<dd>b</dl>",
    "dt": "<dl><dt id=t>a<dd>b</dl>",
    "embed": "<embed id=t width=9 height=9>",
    "figcaption": "<figure><figcaption id=t>text</figcaption></figure>",
    "footer in a section": "<section aria-label=s><footer id=t>text</footer></section>",
    "form with a name": "<form id=t aria-label=f>text</form>",
    "header in a section": "<section aria-label=s><header id=t>text</header></section>",
    "hr": "a<hr id=t>b",
    "iframe": "<iframe id=t title=f srcdoc=x></iframe>",
    "img with alt": f"<img id=t alt=text src='{_PIXEL}'>",
    "img with empty alt": f"<img id=t alt='' src='{_PIXEL}'>",
    "img without alt": f"<img id=t src='{_PIXEL}' width=9 height=9>",
    "input with list": "<input id=t list=l aria-label=n><datalist id=l><option>a</datalist>",
    "legend": "<fieldset><legend id=t>text</legend></fieldset>",
    "li": "<ul><li id=t>text</ul>",
    "li outside a list": "<li id=t>text</li>",
    "map": "<map id=t name=m>text</map>",
    "math": "<math id=t><mi>x</mi></math>",
    "object": "<object id=t width=9 height=9>text</object>",
    "ol": "<ol id=t><li>text</ol>",
    "optgroup": "<select size=4 aria-label=s><optgroup id=t label=g><option>a</optgroup></select>",
    "option": "<select size=4 aria-label=s><option id=t>a</select>",
    "picture": f"<picture id=t><img alt=text src='{_PIXEL}'></picture>",
    "rp": "<ruby>a<rp id=t>(</rp><rt>b</rt></ruby>",
    "rt": "<ruby>a<rt id=t>b</rt></ruby>",
    "section with a name": "<section id=t aria-label=s>text</section>",
    "select": "<select id=t aria-label=s><option>a</select>",
    "select multiple": "<select id=t multiple aria-label=s><option>a</select>",
    "select size=4": "<select id=t size=4 aria-label=s><option>a</select>",
    "summary": "<details><summary id=t>more</summary>text</details>",
    "summary outside details": "<summary id=t>more</summary>",
    "svg": "<svg id=t width=9 height=9><rect width=9 height=9 /></svg>",
    "svg with a title": "<svg id=t width=9 height=9><title>n</title><rect width=9 height=9 /></svg>",
    "table": "<table id=t><caption>c</caption><tr><td>1<td>2<tr><td>3<td>4</table>",
    "tbody": "<table><caption>c</caption><tbody id=t><tr><td>1<td>2<tr><td>3<td>4</tbody></table>",
    "td": "<table><caption>c</caption><tr><td id=t>1<td>2<tr><td>3<td>4</table>",
    "td in a grid": "<table role=grid aria-label=g><tr><td id=t>1<td>2<tr><td>3<td>4</table>",
    "textarea": "<textarea id=t aria-label=n></textarea>",
    "tfoot": "<table><caption>c</caption><tr><td>1<td>2<tfoot id=t><tr><td>3<td>4</tfoot></table>",
    "th": "<table><caption>c</caption><tr><th id=t>a<th>b<tr><td>3<td>4</table>",
    "th beside td": "<table><caption>c</caption><tr><th id=t>a<td>b<tr><th>3<td>4</table>",
    "th scope=row": "<table><caption>c</caption><tr><th id=t scope=row>a<td>b<tr><td>3<td>4</table>",
    "thead": "<table><caption>c</caption><thead id=t><tr><th>1<th>2</thead><tr><td>3<td>4</table>",
    "tr": "<table><caption>c</caption><tr id=t><td>1<td>2<tr><td>3<td>4</table>",
    "tr in a table of role none": "<table role=none><tr id=t><td>1<td>2<tr><td>3<td>4</table>",
    "ul": "<ul id=t><li>text</ul>",
    "video": "<video id=t controls width=9 height=9></video>",
    "wbr": "a<wbr id=t>b",
    "div contenteditable": "<div id=t contenteditable aria-label=n>text</div>",
}

# Roles that need others around or inside them, by the sample; all others are `<div id=t role=x aria-label=n>text</div>`.
_IN_CONTEXT = {
    "caption": "<div role=table><div id=t role=caption>c</div><div role=row><div role=cell>1</div></div></div>",
    "cell": "<div role=table><div role=row><div id=t role=cell>1</div></div></div>",
    "columnheader": "<div role=table><div role=row><div id=t role=columnheader>1</div></div></div>",
    "directory": "<div id=t role=directory aria-label=n><div role=listitem>1</div></div>",
    "feed": "<div id=t role=feed aria-label=n><div role=article>1</div></div>",
    "grid": "<div id=t role=grid aria-label=n><div role=row><div role=gridcell>1</div></div></div>",
    "gridcell": "<div role=grid><div role=row><div id=t role=gridcell>1</div></div></div>",
    "list": "<div id=t role=list aria-label=n><div role=listitem>1</div></div>",
    "listbox": "<div id=t role=listbox aria-label=n><div role=option>1</div></div>",
    "listitem": "<div role=list><div id=t role=listitem>1</div></div>",
    "menu": "<div id=t role=menu aria-label=n><div role=menuitem>1</div></div>",
    "menubar": "<div id=t role=menubar aria-label=n><div role=menuitem>1</div></div>",
    "menuitem": "<div role=menu><div id=t role=menuitem>1</div></div>",
    "menuitemcheckbox": "<div role=menu><div id=t role=menuitemcheckbox aria-checked=true>1</div></div>",
    "menuitemradio": "<div role=menu><div id=t role=menuitemradio aria-checked=true>1</div></div>",
    "none": "<h2 id=t role=none>text</h2>",
    "option": "<div role=listbox aria-label=l><div id=t role=option>1</div></div>",
    "presentation": "<h2 id=t role=presentation>text</h2>",
    "row": "<div role=table><div id=t role=row><div role=cell>1</div></div></div>",
    "rowgroup": "<div role=table><div id=t role=rowgroup><div role=row><div role=cell>1</div></div></div></div>",
    "rowheader": "<div role=table><div role=row><div id=t role=rowheader>1</div></div></div>",
    "tab": "<div role=tablist><div id=t role=tab>1</div></div>",
    "table": "<div id=t role=table aria-label=n><div role=row><div role=cell>1</div></div></div>",
    "tablist": "<div id=t role=tablist aria-label=n><div role=tab>1</div></div>",
    "tree": "<div id=t role=tree aria-label=n><div role=treeitem>1</div></div>",
    "treegrid": "<div id=t role=treegrid aria-label=n><div role=row><div role=gridcell>1</div></div></div>",
    "treeitem": "<div role=tree aria-label=l><div id=t role=treeitem>1</div></div>",
}

# WAI-ARIA 1.2, 5.4 "Definition of Roles", without the abstract ones.
_ROLES = (
    "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox "
    "complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell "
    "group heading img insertion link list listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox "
    "menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup "
    "rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript switch tab table "
    "tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem"
).split()

ROLES: dict[str, str] = {
    f"role={role}": _IN_CONTEXT.get(role, f"<div id=t role={role} aria-label=n>text</div>") for role in _ROLES
} | {
    "role=region without a name": "<div id=t role=region>text</div>",
    "role=form without a name": "<div id=t role=form>text</div>",
    "role=none on what can be focused": "<button id=t role=none>text</button>",
    "role=none with a name": "<h2 id=t role=none aria-label=n>text</h2>",
    "an unknown role": "<h2 id=t role=hero>text</h2>",
    "a known role after an unknown one": "<div id=t role='hero button'>text</div>",
}

SAMPLES = ELEMENTS | ROLES
