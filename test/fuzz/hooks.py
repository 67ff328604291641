"""What schemathesis cannot know from the document: names of things that are there, and what a fuzzer must leave alone.

The variables SCAN_AUDIT_FUZZ_* are set by stage.ts.
"""

import json
import os
import re
import zlib

import schemathesis
from hypothesis import strategies as st

# Names of path parameters, and values of them that exist on the stage.
KNOWN = json.loads(os.environ["SCAN_AUDIT_FUZZ_KNOWN"])

# The id of the key that the fuzzer calls with: it must not revoke or rotate itself.
OWN_KEY_ID = os.environ["SCAN_AUDIT_FUZZ_KEY_ID"]
SPARE_KEY_ID = "aaaaaaaa"

HOSTS = st.sampled_from(["example.com", "shop.example.com", "a.b-c.example.com", "xn--mnchen-3ya.example.com"])
PATHS = st.sampled_from(["", "/", "/a/b", "/a?b=c", "/a#d", "/%20"])

schemathesis.openapi.format("scan-host", HOSTS)
schemathesis.openapi.format("scan-domain", st.sampled_from(["a.example.com", "b.example.org", "example.net"]))
schemathesis.openapi.format(
    "scan-target",
    st.builds("{}{}{}".format, st.sampled_from(["", "http://", "https://"]), HOSTS, PATHS),
)
schemathesis.openapi.format("scan-start-url", st.builds("https://{}{}".format, HOSTS, PATHS))
DOCUMENT = '{"openapi":"3.1.0","paths":{"/orders/{id}":{"get":{}}}}'
schemathesis.openapi.format("api-document", st.just(DOCUMENT))
schemathesis.openapi.format("scan-run", st.sampled_from(KNOWN["runId"]))
schemathesis.openapi.format("api-scope", st.sampled_from(["scans:read", "scans:write", "findings:write"]))
schemathesis.openapi.format("totp-secret", st.sampled_from(["JBSWY3DPEHPK3PXP", "jbsw y3dp ehpk 3pxp", "MFRGGZDFMZTWQ2LK===="]))
# Nobody makes up a cursor: the first page has none, the next ones come from an answer.
schemathesis.openapi.format("cursor", st.just(""))


@schemathesis.hook
def map_path_parameters(ctx, path_parameters):
    """Three requests of four are about something that exists. The same value is always mapped to the same one."""
    if not isinstance(path_parameters, dict):
        return path_parameters
    return {name: known_or(name, value) for name, value in path_parameters.items()}


def known_or(name, value):
    known = KNOWN.get(name)
    number = zlib.crc32(repr(value).encode("utf-8", "surrogatepass"))
    return known[number // 4 % len(known)] if known and number % 4 else value


@schemathesis.hook
def before_call(ctx, case, kwargs):
    path, query = case.path_parameters, case.query
    if isinstance(path, dict) and path.get("keyId") == OWN_KEY_ID:
        path["keyId"] = SPARE_KEY_ID
    # A wait for a scan that nothing runs would only take its time.
    if isinstance(query, dict) and query.get("wait") in range(2, 56):
        query["wait"] = 1
    if case.meta is not None and case.meta.generation.mode is schemathesis.GenerationMode.POSITIVE:
        keep_rules(case)


# Headers that make up the connection or the message.
RESERVED = re.compile("host|connection|keep-alive|upgrade|te|trailer|transfer-encoding|content-.*|expect|proxy-.*|accept-encoding|cookie|x-scan-audit-.*")


def keep_rules(case):
    """Makes a request that is right by the schema right by the rules between fields, which no schema of ours says."""
    path, query, body = case.path_parameters, case.query, case.body
    if isinstance(query, dict) and isinstance(path, dict) and query.get("baseline") == path.get("runId"):
        query.pop("baseline", None)
    if not isinstance(body, dict):
        return
    if "expiresAt" in body:
        body["expiresAt"] = "2999-01-01T00:00:00Z"
    if body.get("state") == "open":
        body.pop("expiresAt", None)
    elif "state" in body and body.get("reason", "").strip() == "":
        body["reason"] = "For the fuzzer."
    if not {"form", "json", "browser"} & body.keys():
        body.pop("totp", None)
    for part, member, value in [("headers", "value", "a"), ("documents", "content", DOCUMENT)]:
        if isinstance(body.get(part), list):
            named = {str(each.get("name")).lower(): {**each, member: each.get(member) or value} for each in body[part]}
            body[part] = [each for name, each in named.items() if not RESERVED.fullmatch(name)]
    # All URLs that are made here are of this domain.
    if case.method == "PUT" and isinstance(path, dict) and "domain" in path:
        path["domain"] = "example.com"
