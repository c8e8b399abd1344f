"""Where our roles differ from Chrome's, and why."""

from __future__ import annotations

# Chrome's internal names for what no ARIA role fits, by what HTML-AAM maps their elements to.
CHROMES_OWN = {
    "Abbr": "generic",
    "Audio": "audio",
    "DescriptionList": "generic",
    "Figcaption": "generic",
    "Iframe": "iframe",
    "LabelText": "generic",
    "Legend": "generic",
    "LineBreak": "generic",
    "MathMLMath": "math",
    "PluginObject": "generic",
    "Ruby": "generic",
    "RubyAnnotation": "generic",
    "Video": "video",
    "image": "img",
    "sectionfooter": "generic",
    "sectionheader": "generic",
}

_FIELD = "HTML-AAM gives none; `form_input` sets it as text, and its type is told as a state"

EXPLAINED = {
    "input type=color": _FIELD,
    "input type=date": _FIELD,
    "input type=datetime-local": _FIELD,
    "input type=month": _FIELD,
    "input type=time": _FIELD,
    "input type=week": _FIELD,
    "area without href": "HTML-AAM: generic; Chrome tells its alternative text",
    "canvas": "HTML-AAM gives none; a drawing that can be clicked must show",
    "datalist": "the role of HTML-AAM; Chrome has it in its tree only while it is open, and neither shows it closed",
    "li outside a list": "HTML-AAM: generic where no list is its parent",
    "summary": "HTML-AAM leaves it open; it does what a button does",
    "svg": "SVG-AAM shows a drawing only under a name; without one it says nothing",
    "div contenteditable": "Chrome tells it by a state; it takes what a textbox takes",
}
