"""The Chinese words that ask or join, as far as one or two characters tell them; nobody searches for them."""

from __future__ import annotations

_FUNCTION_WORDS = """
的 了 是 在 和 与 及 有 吗 呢 吧 啊 呀 也 就 都 而 着 被 把 个 之 其 等 这 那 哪 谁 很 请 什 么 怎
什么 怎么 怎样 哪个 哪些 哪里 哪儿 如何 多少 是否 这个 那个 这些 那些 一个 我们 你们 他们
"""

FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
