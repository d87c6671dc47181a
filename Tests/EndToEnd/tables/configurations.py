"""Configuration files, valid and invalid: the program's errors, and whether docs/config.schema.json accepts them.

A row: name, text of the file, and for an invalid one the error after the file's name; None for a valid one. The schema
must agree, except for the rows of BEYOND, which no schema can express.
"""

import json

BASE = {"clientId": "1", "authority": "https://login.example.org/tenant", "authorityType": "oidc"}


def text(**others):
    """A file whose one profile has these additional members; the first of them is on line 7."""
    return json.dumps({"profiles": {"a": {**BASE, **others}}}, indent=1).replace('"profiles": {\n  "a"', '"profiles": {\n"a"')


def profile(line):
    """A file with one complete profile; `line` is on line 3."""
    return f'{{ "profiles": {{\n"a": {{ "clientId": "1", "authority": "https://login.example.org",\n{line} }} }} }}'


def carry(rule):
    """A file with a rule for 'keyturn ssh'; the rule is on line 3."""
    return f'{{ "profiles": {{ "a": {json.dumps(BASE)} }},\n"carry": [\n{rule} ] }}'


GOOD = [
    ("the least", '{ "profiles": { "a": { "clientId": "1", "authority": "https://login.example.org" } } }'),
    ("with a schema", '{ "$schema": "config.schema.json", "profiles": { "a": { "clientId": "1", "authority": "https://e.example" } } }'),
    ("limits of a server", carry('{"host": "a", "profile": "a", "scopes": ["b"], "resources": ["https://c.example"], "ask": "use"}')),
    ("sign-ins on a server", carry('{"host": "a", "profile": "a", "signIn": true}')),
    ("a default", '{ "defaultProfile": "b", "profiles": { "a": %s, "b": %s } }' % (json.dumps(BASE), json.dumps(BASE))),
    ("keys", '{ "keys": { "copy": "Ctrl-K", "remove": "#", "refresh": null }, "profiles": { "a": %s } }' % json.dumps(BASE)),
    ("an authority on this computer", '{ "profiles": { "a": { "clientId": "1", "authority": "http://127.0.0.1:8400/common" } } }'),
    ("an authority by IPv6", '{ "profiles": { "a": { "clientId": "1", "authority": "http://[::1]:8400/common" } } }'),
    ("every kind", text(authorityType="oidc")),
    ("known authorities", text(knownAuthorities=["https://login.example.org/tenant"])),
    ("a redirect URI", text(redirectUri="http://127.0.0.1:8400/back")),
    ("the library's redirect URI", text(redirectUri=None)),
    ("a port", text(listen="8400")),
    ("ports at an address", text(listen="0.0.0.0:8400-8410")),
    ("a browser", text(browser="firefox --private-window %s")),
    ("an identifier", text(bundleIdentifier="org.example.app")),
    ("scopes", text(scopes=["User.Read", "https://graph.example/.default"])),
    ("no scopes", text(scopes=[])),
    ("capabilities", text(clientCapabilities=["CP1"])),
    ("no resource parameter", text(sendResource=False)),
    ("extra parameters", text(extraParameters={"kc_idp_hint": "github"})),
    ("a token", text(token="id")),
    ("a server's scopes", text(resources={"https://mcp.example": ["https://graph.microsoft.com/Mail.Read"]})),
    ("an audience", text(audience="https://api.example")),
    ("client metadata", text(clientMetadata="https://example.com/keyturn.json")),
    ("a managed server", text(managedServers={"https://mcp.example": {
        "authority": "https://auth.example", "clientId": "c", "clientSecret": {"environment": "SECRET"}}})),
    ("a secret in a file", text(clientSecret={"file": "secret"})),
    ("a secret in a variable", text(clientSecret={"environment": "SECRET"})),
    ("a secret of a command", text(clientSecret={"command": ["pass", "show"]})),
    ("a stored secret", text(clientSecret={"stored": True})),
    ("a sharing group", text(keychainSharingGroup="shared")),
    ("a method", text(method="device")),
    ("several methods", text(method=["broker", "browser", "device"])),
    ("a shared file", text(cache={"kind": "unified", "path": "shared.json"})),
    ("a key file", text(cache={"kind": "encrypted", "key": "keyFile"})),
    ("a passphrase", text(cache={"key": "passphrase", "passphraseFile": "/run/passphrase"})),
    ("another passphrase", text(
        cache={"key": "passphrase", "passphraseFile": "/run/passphrase", "previousPassphraseFile": "/run/before"})),
    ("null for everything", text(
        authorityType=None, knownAuthorities=None, listen=None, browser=None, bundleIdentifier=None, infoPlist=None,
        scopes=None, clientCapabilities=None, keychainSharingGroup=None, method=None, cache=None)),
]

BAD = [
    ("limits of no server", carry('{"scopes": ["b"]}'), r":3: carry\[0\]\.host: is missing\."),
    ("a server without limits", carry('{"host": "a"}'), r":3: carry\[0\]\.resources: is missing\."),
    ("limits without a list", '{ "profiles": { "a": %s }, "carry": {} }' % json.dumps(BASE), r":1: carry: must be a list, not an object\."),
    ("another question", carry('{"host": "a", "scopes": ["b"], "ask": "once"}'), r':3: carry\[0\]\.ask: invalid value "once"'),
    ("not an object", "[]", r":1: must be an object, not a list\. Use \{ … \}\."),
    ("a number", "7", r":1: must be an object, not a number\. "),
    ("no profiles", "{}", r':1: profiles: is missing\. Add "profiles"'),
    ("profiles of another type", '{ "profiles": [] }', r":1: profiles: must be an object, not a list\. "),
    ("no profile", '{ "profiles": {} }', r":1: profiles: no profiles\. Add one"),
    ("an unknown key above", '{ "profile": {}, "profiles": { "a": { "clientId": "1", "authority": "https://e.example" } } }',
     r':1: profile: unknown key\. Did you mean "profiles"\?'),
    ("a default of another type", '{ "defaultProfile": 1, "profiles": { "a": { "clientId": "1", "authority": "https://e.example" } } }',
     r":1: defaultProfile: must be a string, not a number\. Put it in double quotes\."),
    ("a key that terminals don't send", '{ "keys": { "copy": "Super-C" }, "profiles": { "a": %s } }' % json.dumps(BASE),
     r':1: keys\.copy: invalid key "Super-C" \(column 21\)\. Use a character'),
    ("a profile of another type", '{ "profiles": {\n"a": "b" } }', r":2: profiles\.a: must be an object, not a string\. "),
    ("no client ID", '{ "profiles": {\n"a": { "authority": "https://e.example" } } }', r":2: profiles\.a\.clientId: is missing\. Add "),
    ("no authority", '{ "profiles": {\n"a": { "clientId": "1" } } }', r":2: profiles\.a\.authority: is missing\. Add "),
    ("an unknown key", profile('"scope": ["User.Read"]'), r':3: profiles\.a\.scope: unknown key\. Did you mean "scopes"\?'),
    ("an unrelated key", profile('"colour": "red"'), r":3: profiles\.a\.colour: unknown key\. Known keys: clientId, "),
    ("a number for a client ID", '{ "profiles": { "a": {\n"clientId": 1, "authority": "https://e.example" } } }',
     r":2: profiles\.a\.clientId: must be a string, not a number\. "),
    ("an empty client ID", '{ "profiles": { "a": {\n"clientId": "", "authority": "https://e.example" } } }',
     r":2: profiles\.a\.clientId: is empty\. Add a value or remove the key\."),
    ("an authority without https", '{ "profiles": { "a": { "clientId": "1",\n"authority": "http://login.example.org" } } }',
     r':2: profiles\.a\.authority: "http://login\.example\.org" is not encrypted\. Use https: http works only on this computer\.'),
    ("an authority that is not a URL", '{ "profiles": { "a": { "clientId": "1",\n"authority": "contoso.com" } } }',
     r':2: profiles\.a\.authority: "contoso\.com" is not a URL\. Enter the whole URL'),
    ("a type of no authority", profile('"authorityType": "adfs"'),
     r':3: profiles\.a\.authorityType: invalid value "adfs"\. Use one of: auto, aad, b2c, ciam, oidc, oauth\.'),
    ("known authorities of another type", profile('"knownAuthorities": "https://e.example"'),
     r":3: profiles\.a\.knownAuthorities: must be a list, not a string\. "),
    ("a known authority without https", profile('"knownAuthorities": ["http://e.example"]'),
     r":3: profiles\.a\.knownAuthorities\[0\]: .* is not encrypted\. "),
    ("an invalid redirect URI", profile('"redirectUri": "localhost"'), r':3: profiles\.a\.redirectUri: "localhost" is not a URI\. '),
    ("scopes in one text", profile('"scopes": "User.Read Mail.Read"'), r":3: profiles\.a\.scopes: must be a list, not a string\. "),
    ("a scope of another type", profile('"scopes": [true]'), r":3: profiles\.a\.scopes\[0\]: must be a string, not true or false\. "),
    ("an empty capability", profile('"clientCapabilities": [""]'), r":3: profiles\.a\.clientCapabilities\[0\]: is empty\. "),
    ("a method there is not", profile('"method": "phone"'), r':3: profiles\.a\.method: invalid value "phone"\. Use one of: browser, '),
    ("a secret in clear", profile('"clientSecret": "GOCSPX-planted"'),
     r":3: profiles\.a\.clientSecret: a secret doesn't belong in this file\. Use .*'keyturn sign-in --enter-client-secret'\."),
    ("a secret from nowhere", profile('"clientSecret": {}'), r":3: profiles\.a\.clientSecret: must have one member\. "),
    ("two sources of a secret", profile('"clientSecret": { "file": "a", "environment": "b" }'),
     r":3: profiles\.a\.clientSecret: must have one member\. "),
    ("an unknown source of a secret", profile('"clientSecret": { "path": "a" }'), r":3: profiles\.a\.clientSecret\.path: unknown key\. "),
    ("a secret of no command", profile('"clientSecret": { "command": [] }'), r":3: profiles\.a\.clientSecret\.command: has no program\. "),
    ("a secret that isn't stored", profile('"clientSecret": { "stored": false }'), r":3: profiles\.a\.clientSecret\.stored: must be true\. "),
    ("a cache of another type", profile('"cache": "encrypted"'), r":3: profiles\.a\.cache: must be an object, not a string\. "),
    ("an unknown key of the cache", profile('"cache": { "file": "x" }'), r":3: profiles\.a\.cache\.file: unknown key\. "),
    ("an unknown kind of cache", profile('"cache": { "kind": "plain" }'), r":3: profiles\.a\.cache\.kind: .* encrypted, unified\."),
    ("a shared cache without a file", profile('"cache": { "kind": "unified" }'), r":3: profiles\.a\.cache\.path: is missing\. Add the path"),
    ("a key there is not", profile('"cache": { "key": "tpm" }'), r":3: profiles\.a\.cache\.key: .*automatic"),
    ("an Info.plist of another type", profile('"infoPlist": 1'), r":3: profiles\.a\.infoPlist: must be a string, not a number\. "),
]

BEYOND = [
    ("a colour there isn't", '{ "colors": { "key": "blu" },\n"profiles": { "a": { "clientId": "1", "authority": "https://e.example" } } }',
     r':1: colors\.key: unknown colour "blu" \(column 22\)\. Use a name such as blue'),
    ("two commands on one key", '{ "commands": [{ "key": "F6", "title": "A", "argv": ["a"] }, '
     '{ "key": "F6", "title": "B", "argv": ["b"] }],\n"profiles": { "a": { "clientId": "1", "authority": "https://e.example" } } }',
     r':1: commands\[1\]\.key: "F6" is the key of A, too \(column 71\)\. Choose another key\.'),
    ("a command without a program", '{ "commands": [{ "key": "F6", "title": "A", "argv": [] }],\n'
     '"profiles": { "a": { "clientId": "1", "authority": "https://e.example" } } }',
     r':1: commands\[0\]\.argv: has no program\. Use \["PROGRAM", "ARGUMENT"\]\.'),
    ("a role there isn't", '{ "colors": { "keys": "blue" },\n"profiles": { "a": { "clientId": "1", "authority": "https://e.example" } } }',
     r":1: colors\.keys: unknown role \(column 23\)\. Use one of: text, muted, accent, "),
    ("limits of an unknown profile", carry('{"host": "a", "profile": "b", "scopes": ["c"]}'),
     r':3: carry\[0\]\.profile: no profile "b"\. Use "a"\.'),
    ("two scopes in one string", profile('"scopes": ["User.Read Mail.Read"]'),
     r':3: profiles\.a\.scopes\[0\]: "User\.Read Mail\.Read" isn\'t one scope\. Use "User\.Read", "Mail\.Read"\.'),
    ("a space at the end", profile('"audience": "https://api.example "'),
     r":3: profiles\.a\.audience: begins or ends with a space\. Remove the space\."),
    ("a line break", profile('"audience": "https://api.example\\n"'),
     r":3: profiles\.a\.audience: has a line break or another control character\. Remove it\."),
    ("a parameter of the protocol", profile('"extraParameters": { "state": "x" }'),
     r":3: profiles\.a\.extraParameters\.state: belongs to the protocol\. Remove it: each sign-in sets it\."),
    ("a managed server without an authority", profile('"managedServers": { "https://mcp.example": { "clientId": "c" } }'),
     r":3: profiles\.a\.managedServers\.https://mcp\.example\.authority: is missing\. "),
    ("a managed server with a stored secret", profile(
        '"managedServers": { "https://mcp.example": { "authority": "https://auth.example", "clientId": "c", '
        '"clientSecret": { "stored": true } } }'), r":3: .*\.clientSecret: can't be stored for a server\. Use "),
    ("a managed server with a secret in clear", profile(
        '"managedServers": { "https://mcp.example": { "authority": "https://auth.example", "clientId": "c", '
        '"clientSecret": "GOCSPX-planted" } }'),
     r':3: .*\.clientSecret: a secret doesn\'t belong in this file\. Use { "file": "PATH" }, or "environment" or "command"\.'),
    ("a path instead of an origin", profile('"resources": { "https://mcp.example/mcp": ["Mail.Read"] }'),
     r":3: profiles\.a\.resources\.https://mcp\.example/mcp: is not the origin of a server\. Use https://HOST, without a path\."),
    ("one server twice", profile('"resources": { "https://mcp.example": ["a"], "HTTPS://mcp.example/": ["b"] }'),
     r":3: profiles\.a\.resources\.HTTPS://mcp\.example/: is the same server as another member\. Keep one of them\."),
    ("not JSON", "{ profiles }", r":1: invalid JSON: unexpected 'p' \(column 3\)\. Add a key in double quotes\."),
    ("nothing", "", r":1: invalid JSON: the file ends here"),
    ("a comment", '{ // mine\n"profiles": {} }', r":1: invalid JSON: JSON has no comments"),
    ("a comma too many", profile('"method": "device",'), r":3: invalid JSON: comma before '}'.*Remove the last comma\."),
    ("a key twice", profile('"method": "device", "method": "paste"'), r":3: profiles\.a\.method: repeated key\. Remove one of them\."),
    ("a missing default profile", '{ "defaultProfile": "b",\n"profiles": { "a": { "clientId": "1", "authority": "https://e.example" } } }',
     r':1: defaultProfile: no profile "b"\. Use "a"\.'),
    ("an invalid listen address", profile('"listen": "localhost:http"'), r':3: profiles\.a\.listen: .* is not a port or address\. Use "8400"'),
    ("an Info.plist that is not there", profile('"infoPlist": "none.plist"'),
     r":3: profiles\.a\.infoPlist: can't read .*/none\.plist: No such file or directory\. Correct the path"),
    ("a file that is not an Info.plist", profile('"infoPlist": "config.json"'), r":3: profiles\.a\.infoPlist: .*/config\.json: .* Use a property list"),
]
