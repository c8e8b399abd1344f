"""What is a secret and what is not. The tokens are put together here, so that no file holds one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freehold.memory.redact import find_secrets, redact

MIXED = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6kL9nO2qR5tU8wX1zA4cD7fG0iJ3lM6oP9"
HEX = "3f78851d3b1c4b5f9a1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f60718293a4b5c6d7"

TOKENS = [
    "AKIA" + "Q3EGRABCDEFGHIJK",
    "ghp_" + MIXED[:36],
    "github_pat_" + MIXED[:62],
    "glpat-" + MIXED[:20],
    "xoxb" + "-123456789012-" + MIXED[:24],
    "sk-" + MIXED[:48],
    "sk-proj-" + MIXED,
    "sk-ant-api03-" + MIXED,
    "sk_live_" + MIXED[:24],
    "AIza" + MIXED[:35],
    "npm_" + MIXED[:36],
    "pypi-AgE" + MIXED,
    "hf_" + MIXED[:34],
    "SG." + MIXED[:22] + "." + MIXED[:43],
    "key-" + HEX[:32],
    "123456789:AA" + MIXED[:33],
    "dop_v1_" + HEX,
    "shpat_" + HEX[:32],
    "hvs." + MIXED[:30],
    "lin_api_" + MIXED[:40],
    "AGE-SECRET-KEY-1" + ("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L" * 2)[:58],
    "eyJhbGciOiJIUzI1NiJ9" + "." + "eyJzdWIiOiIxMjM0In0" + "." + MIXED[:43],
    "M" + MIXED[:25] + "." + MIXED[5:11] + "." + MIXED[:30],
    "sig=" + MIXED[:42] + "%3D",
    "https://hooks.slack.com/services/" + "T0000/B0000/" + MIXED[:24],
]

SENTENCES = [
    "The password is {}.",
    "password: {}",
    "**Password:** {}",
    "DB_PASSWORD={}",
    'dbPassword = "{}"',
    "password => '{}',",
    "密码是 {}",
    "数据库密码：{}。",
    "パスワードは {}",
    "пароль: {}",
    "Server=db;User Id=sa;Password={};",
    "machine example.com login me password {}",
    "curl -u me:{} https://example.com",
    "postgres://admin:{}@db.example.com/app",
    "redis://:{}@cache:6379/0",
    "mongodb+srv://user:{}@cluster0.example.net",
    "SMTP_PASS={}",
    "db_pass: '{}'",
    "비밀번호는 {}",
    "| admin password | `{}` |",
    "| 密码 | {} |",
    "mysql -h db -u root -p{} shop",
    "sshpass -p {} ssh me@example.com",
]
KEYED = [
    "api_key: {}",
    "API-KEY={}",
    '"client_secret": "{}"',
    "token={}",
    "访问令牌：{}",
    "Authorization: Bearer {}",
    "secretKey = {}",
]

HARMLESS = [
    f"fixed in {HEX[:40]}",
    f"commit: {HEX[:40]}",
    f"git show {HEX[:40]}:file",
    f"sha256 {HEX}",
    "integrity sha512-" + MIXED + "==",
    "uuid 123e4567-e89b-12d3-a456-426614174000",
    "password: see 1Password",
    "the token is refreshed every 30 minutes",
    "The password is stored in the keychain",
    "token: JWT (RS256)",
    "the token is v2.3.1",
    "max_tokens: 4096",
    "password: ********",
    "password: ${DB_PASSWORD}",
    "API_KEY=$API_KEY",
    "API_KEY=<your key>",
    "api_key: your-api-key-here",
    "token: xxxxxxxxxxxx",
    'api_key = os.environ["API_KEY2"]',
    "token: process.env.TOKEN2",
    "secret: config/prod2.toml",
    "postgres://user:${PASS}@host/db",
    "postgres://user:<password>@host/db",
    "postgres://localhost:5432/app",
    "git@github.com:someone/something.git",
    "ssh://git@host:22/foo",
    "sk-" + "learn-contrib-something-very-long",
    "password must have 8+ characters",
    "passwordless login",
    "echo $password | base64 -d",
    "| password | required |",
    "| password | `DB_PASSWORD` |",
    "BYPASS=always",
    "PWD=/srv/me OLDPWD=/tmp",
    "DB_PASSWORD=changeme",
    "PGPASSWORD=$SECRET psql",
    "PASSWORD=settings.password",
    "mysql -u root -p shop",
    "mysql --port 3307 --password",
    "ssh -p 2222 host",
    "com.example.MyVeryLongClassNameOfTests.shouldW.orksAsExpected1",
    '"auth": "none"',
]


@pytest.mark.parametrize("token", TOKENS)
def test_a_token_of_a_known_issuer_is_found_wherever_it_stands(token: str) -> None:
    for text in (token, f"use {token} there", f'{{"x": "{token}"}}', f"一个{token}。", f"```\n{token}\n```"):
        assert len(find_secrets(text)) == 1
        assert token not in redact(text)


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("word", ["hunter2", "Tr0ub4dor&3", "S3cr3t!pass"])
def test_a_password_is_known_by_the_word_before_it(sentence: str, word: str) -> None:
    assert word.rstrip("!") not in redact(sentence.format(word))


@pytest.mark.parametrize(
    "sentence",
    ["DB_PASSWORD={}", "PGPASSWORD={} psql", "export SMTP_PASS={}", "docker run -e MYSQL_ROOT_PASSWORD={} mysql"],
)
@pytest.mark.parametrize("word", ["swordfish", "correct-horse", "4711"])
def test_a_password_that_is_assigned_may_be_any_word(sentence: str, word: str) -> None:
    assert word not in redact(sentence.format(word))


def test_what_is_kept_in_files_of_other_programs_is_known() -> None:
    docker = '{"auths": {"registry.example.com": {"auth": "' + MIXED[:40] + '=="}}}'
    putty = "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n" + MIXED + "\nPrivate-MAC: " + HEX
    phrase = 'passphrase: "correct horse battery staple"'
    assert [len(find_secrets(text)) for text in (docker, putty, phrase)] == [1, 1, 1]
    assert MIXED[:40] not in redact(docker) + redact(putty)


@pytest.mark.parametrize("sentence", KEYED)
@pytest.mark.parametrize("word", [MIXED[:24], HEX[:40], "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "z0"])
def test_a_key_is_known_by_the_word_before_it(sentence: str, word: str) -> None:
    assert word not in redact(sentence.format(word))


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_is_left_alone(text: str) -> None:
    assert find_secrets(text) == []
    assert redact(text) == text


def test_a_private_key_is_taken_out_whole_and_its_line_named() -> None:
    dashes = "-" * 5
    block = f"{dashes}BEGIN RSA PRIVATE KEY{dashes}\n{MIXED}\n{dashes}END RSA PRIVATE KEY{dashes}"
    found = find_secrets(f"one\ntwo\n{block}\nfour")
    assert [(secret.line, secret.kind) for secret in found] == [(3, "private key")]
    assert redact(f"one\n{block}\nfour") == "one\n[private key removed]\nfour"
    cut = f"{dashes}BEGIN OPENSSH PRIVATE KEY{dashes}\nabc"
    assert len(find_secrets(cut)) == 1


def test_every_secret_of_a_text_is_found_in_order_and_without_overlap() -> None:
    text = f"token: {TOKENS[1]}\nnothing\npassword: hunter2, {TOKENS[0]}\n"
    found = find_secrets(text)
    assert [secret.line for secret in found] == [1, 3, 3]
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize("word", ["PASSWORD", "Paſſword", "API_KEY", "api Key", "密码", "СЕКРЕТ ПАРОЛЬ"])
def test_a_word_before_a_secret_counts_in_capitals_and_look_alikes(word: str) -> None:
    assert len(find_secrets(f"{word}: h4nter2x9q")) == 1


@given(
    st.lists(st.sampled_from([*TOKENS, "password: ", "hunter2", " ", "\n", "://u:", "@h", "is ", '"', "text"])).map(
        "".join
    )
)
def test_what_has_been_redacted_holds_no_known_token_and_nothing_else_is_touched(text: str) -> None:
    again = redact(text)
    spans = find_secrets(text)
    assert all(0 <= secret.start < secret.end <= len(text) for secret in spans)
    outside = "".join(
        text[one:other]
        for one, other in zip([0, *(s.end for s in spans)], [*(s.start for s in spans), len(text)], strict=True)
    )
    for secret in spans:
        again = again.replace(f"[{secret.kind} removed]", "", 1)
    assert again == outside


@pytest.mark.parametrize(
    "piece",
    ["a", "a-", "password ", "://a:", "eyJ", "curl ", "sk-", "a.", "token: ", "-----BEGIN " + "PRIVATE KEY-----"],
)
def test_no_text_makes_the_search_for_secrets_run_away(piece: str) -> None:
    # Quadratic behaviour would take minutes here and end in the runner's deadline.
    find_secrets(piece * (200_000 // len(piece)))
