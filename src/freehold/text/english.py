"""What Snowball's English stemmer leaves undone: the words that ask or join, and the forms no ending tells."""

from __future__ import annotations

_FUNCTION_WORDS = """
a about above after again against all already also am an and any anyone anything are aren't as at be because been before
being below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't done down during
each either else ever few for from further get gets got had hadn't has hasn't have haven't having he her here here's
hers herself him himself his how how's i i'd i'll i'm i've if in into is isn't it it's its itself just let let's like
likely many may maybe me might more most much must mustn't my myself neither no nor not of off often on once only or
other our ours ourselves out over own perhaps please quite rather really same shall shan't she should shouldn't so some
someone something still such tell than that that's the their theirs them themselves then there there's these they
they're this those through to too under until up usually very was wasn't we we're were weren't what what's when when's
where where's which while who who's whom whose why why's will with won't would wouldn't yet you you're your yours
yourself yourselves
"""

# Base form first, then its past, participle or plural where no ending tells it.
_IRREGULAR = """
arise arose arisen|awake awoke awoken|beat beaten|become became|begin began begun|bend bent|bite bit bitten|bleed bled
blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|buy bought|catch caught
choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt
drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|find found|fight fought
flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen
give gave given|go goes went gone|grow grew grown|hang hung|have has had|hear heard|hide hid hidden|hold held
keep kept|kneel knelt|know knew known|lay laid|lead led|lean leant|leap leapt|learn learnt|lend lent|lie lain
lose lost|make made|mean meant|meet met|mistake mistook mistaken|overcome overcame|override overrode overridden
overwrite overwrote overwritten|pay paid|prove proven|rebuild rebuilt|redo redid redone|ride rode ridden
ring rang rung|rise rose risen|rewrite rewrote rewritten|run ran|say said|see saw seen|seek sought|sell sold|send sent
shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat
sleep slept|slide slid|speak spoke spoken|speed sped|spell spelt|spend spent|spin spun|spring sprang sprung
stand stood|steal stole stolen|stick stuck|sting stung|strike struck stricken|strive strove striven|swear swore sworn
sweep swept|swell swollen|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told
think thought|throw threw thrown|understand understood|undo undid undone|upset|wake woke woken|wear wore worn
weave wove woven|weep wept|win won|withdraw withdrew withdrawn|write wrote written|analysis analyses|axis axes
child children|crisis crises|criterion criteria|datum data|foot feet|goose geese|half halves|hypothesis hypotheses
index indices|knife knives|loaf loaves|man men|matrix matrices|mouse mice|parenthesis parentheses|person people
phenomenon phenomena|shelf shelves|thesis theses|thief thieves|tooth teeth|vertex vertices|wife wives|wolf wolves
woman women
"""

FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
BASES = {
    form: forms[0]
    for entry in _IRREGULAR.replace("\n", "|").split("|")
    if (forms := entry.split())
    for form in forms[1:]
}
