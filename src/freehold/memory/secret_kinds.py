"""The secrets that are recognised: what their issuers document, and what people write beside the word "password".

The patterns stand as text: compiling them takes 0.012 s, which only a text that is about to be written is worth.
"""

from __future__ import annotations

# Prefixed tokens, by the documentation of who issues them. Each has in it what no other text has, so none needs a look
# at its surroundings, and a text without these signs (the second column) need not be searched for the pattern; commit
# ids, digests and UUIDs fit none of them.
_TOKENS = (
    ("AWS access key", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
    ("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    ("GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{60,255}"),
    (
        "GitLab token",
        "glpat- glptt- gldt- glrt- glcbt- glft- glsoat- glagent- gloas- glimt- glffct-",
        r"gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|oas|imt|ffct)-[\w-]{20,}",
    ),
    ("Slack token", "xox xapp-", r"xox[abeoprs]-[\w-]{10,}|xapp-\d-[\w-]{10,}"),
    ("Slack webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/[\w/]{20,}"),
    ("Discord webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/\d+/[\w-]{40,}"),
    ("Anthropic key", "sk-ant-", r"sk-ant-[\w-]{20,}"),
    ("OpenRouter key", "sk-or-v1-", r"sk-or-v1-[0-9a-f]{40,}"),
    ("API key", "sk-", r"sk-(?:proj-|svcacct-|admin-)?(?=[\w-]{0,200}\d)[\w-]{20,}"),
    ("Stripe key", "_live_ _test_ whsec_", r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}"),
    ("Google key", "AIza GOCSPX- ya29.", r"AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{20,}"),
    ("npm token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    ("PyPI token", "pypi-AgE", r"pypi-AgE[\w-]{50,}"),
    ("Hugging Face token", "hf_", r"hf_[A-Za-z0-9]{30,}"),
    ("Groq key", "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
    ("xAI key", "xai-", r"xai-[A-Za-z0-9]{60,}"),
    ("Perplexity key", "pplx-", r"pplx-[A-Za-z0-9]{40,}"),
    ("Replicate token", "r8_", r"r8_[A-Za-z0-9]{37}"),
    ("SendGrid key", "SG.", r"SG\.[\w-]{16,32}\.[\w-]{32,64}"),
    ("Mailgun key", "key-", r"key-[0-9a-f]{32}"),
    ("Mailchimp key", "-us", r"[0-9a-f]{32}-us\d{1,2}"),
    ("Twilio key", "SK", r"SK[0-9a-f]{32}"),
    ("Telegram bot token", ":AA", r"\d{8,10}:AA[\w-]{33}"),
    ("Discord token", ".", r"[MNO][\w-]{23,27}\.[\w-]{6}\.(?=[\w-]{0,60}\d)[\w-]{27,60}"),
    ("Azure signature", "sig=", r"sig=[\w%+/=-]{40,}"),
    ("DigitalOcean token", "_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    ("Shopify token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("Square token", "sq0 EAAA", r"sq0(?:atp|csp|idp)-[\w-]{22,}|EAAA[\w-]{60}"),
    ("Databricks token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?"),
    ("Vault token", "hvb. hvs. hvr.", r"hv[bsr]\.[\w-]{24,}"),
    ("Docker token", "dckr_", r"dckr_(?:pat|oat)_[\w-]{27,}"),
    ("Doppler token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}"),
    ("Fly token", "fo1_ fm1 fm2", r"fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/=]{100,}"),
    ("Grafana token", "glsa_ glc_", r"gl(?:sa|c)_[A-Za-z0-9+/=_]{32,}"),
    ("Linear key", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    ("Notion token", "ntn_ secret_", r"ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}"),
    ("New Relic key", "NRAK-", r"NRAK-[A-Z0-9]{27}"),
    ("Sentry token", "sntrys_", r"sntrys_[\w+/=-]{40,}"),
    ("Supabase token", "sbp_ sb_secret_", r"sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,}"),
    ("Tailscale key", "tskey-", r"tskey-[a-z]+-[\w-]{20,}"),
    ("Atlassian token", "ATATT3 ATCTT3", r"ATATT3[\w=-]{100,}|ATCTT3[\w=-]{100,}"),
    ("Postman key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("Pulumi token", "pul-", r"pul-[0-9a-f]{40}"),
    ("Terraform token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}"),
    ("1Password token", "ops_eyJ", r"ops_eyJ[\w+/=-]{100,}"),
    ("age key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    ("JSON web token", "eyJ", r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}"),
)

# The words that people put before a password or a token, with whatever name stands before them: DB_PASSWORD, apiKey.
_LOGIN_WORDS = (
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "passwort",
    "contrase\u00f1a",
    "mot de passe",
    "\u5bc6\u7801",
    "\u5bc6\u78bc",
    "\u53e3\u4ee4",
    "\u30d1\u30b9\u30ef\u30fc\u30c9",
    "\ube44\ubc00\ubc88\ud638",
    "\u043f\u0430\u0440\u043e\u043b\u044c",
)
_ACCESS_WORDS = (
    "secret",
    "token",
    *(
        f"{word}[ _-]?key"
        for word in ("api", "access", "secret", "private", "signing", "encryption", "auth", "account")
    ),
    "credential",
    "\u4ee4\u724c",
    "\u5bc6\u94a5",
    "\u5bc6\u9470",
    "\u30c8\u30fc\u30af\u30f3",
)
# `is` and its kin count in prose; the full-width colon is that of Chinese and Japanese.
_BETWEEN = (
    r"s?(?:[ _-]?id)?[\"'`*\]]{0,3}\s{0,3}"
    r"(?:=>|:=|[=:\uff1a\uff1d]|\bis\b|\bist\b|\bes\b|\u662f|\u4e3a|\u306f|\ub294)[\s*]{0,5}"
)
_VALUE = r"(?:(?P<quote>[\"'`])(?P<quoted>[^\"'`\s]{4,400})(?P=quote)|(?P<bare>[^\s\"'`,;\uff0c\u3002\uff1b]{6,400}))"

PREFIXED = tuple(
    (kind, tuple(signs.split()), rf"(?<![A-Za-z0-9_-])(?:{pattern})(?![A-Za-z0-9])") for kind, signs, pattern in _TOKENS
)
PRIVATE_KEY = r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
PASSWORD_WORDS = (*(word.casefold() for word in _LOGIN_WORDS), "pass")
PASSWORD = rf"(?i)(?:{'|'.join(_LOGIN_WORDS)}|(?<![^\W_])pass(?![^\W_])){_BETWEEN}{_VALUE}"
TOKEN_WORDS = tuple(word.rpartition("?")[2].casefold() for word in _ACCESS_WORDS)
TOKEN = rf"(?i)(?:{'|'.join(_ACCESS_WORDS)}){_BETWEEN}{_VALUE}"
# RFC 3986 deprecates `user:password@`, and every database's connection string has it.
CONNECTION = r"://[^\s:/@\"'<>]{0,200}:(?P<bare>[^\s/@\"'`]{1,300})@[^\s/@]"
HEADER = (
    r"(?i)(?:authorization|x-api-key)[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:(?:bearer|basic|token)\s{1,3})?"
    r"(?P<bare>[\w+/=.~-]{16,2000})"
)
BEARER = r"[Bb]earer\s{1,3}(?P<bare>[\w+/=.~-]{20,2000})"
CURL = r"curl\s[^\n]{0,150}?(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,100}:(?P<bare>[^\s\"']{3,200})"
NETRC = r"(?i)login\s{1,9}\S{1,100}\s{1,9}password\s{1,9}(?P<bare>\S{3,200})"
# In a shell or an .env file the value is meant literally, whatever word it is.
ASSIGNED = (
    r"(?<![A-Za-z0-9_])(?:[A-Z0-9_]*(?:PASSWORD|PASSWD|PASSPHRASE)|(?:[A-Z0-9]+_)+PASS)="
    r"(?P<bare>[^\s\"'`,;&|)]{4,200})"
)
COMMAND = (
    r"(?:\bsshpass\s{1,3}-p\s{0,3}|\b(?:mysql|mysqldump|mysqladmin|mariadb)\s(?:[^\n]{0,150}?\s)?-p)[\"']?"
    r"(?P<bare>[^\s\"'`]{3,200})"
)
ROW = (
    rf"(?im)^[ \t]*\|[^|\n]{{0,60}}(?:{'|'.join(_LOGIN_WORDS)})[^|\n]{{0,20}}\|[ \t`*]{{0,4}}"
    r"(?P<bare>[^\s|`]{6,200})[ \t`*]{0,4}\|"
)
PHRASE = r"(?i)passphrase[\"'`*]{0,3}\s{0,3}[:=]\s{0,3}(?P<quote>[\"'])(?P<bare>[^\"'\n]{8,200})(?P=quote)"
# What `docker login` keeps in config.json: the name and password, in base64.
DOCKER = r"\"auth\"\s{0,3}:\s{0,3}\"(?P<bare>[A-Za-z0-9+/]{12,400}={0,2})\""
PUTTY = r"(?P<bare>PuTTY-User-Key-File-\d:(?:(?!PuTTY-User)[\s\S]){0,20000}?Private-MAC: [0-9a-f]{32,128})"
