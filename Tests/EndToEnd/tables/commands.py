"""Commands in each situation, with their exit status, standard output and standard error.

A row: situation, command line, exit status, standard output, standard error, and optionally the standard input.

Situations (test_commands.py sets them up; each row works on a copy):
  nothing    no configuration, no accounts
  mistaken   a configuration with two mistakes
  configured a configuration for the built-in authority, no accounts
  ann        Ann is signed in (a command that refreshes needs "fresh": a refresh token works once)
  fresh      Ann has just signed in, for this row alone
  two        Ann and Wang are signed in
  declining  no accounts; in her browser Ann declines the consent
  unticking  the same, but she only clears Mail.Read
  changed    Ann is signed in, and the authority has changed her password since
  unreachable  a configuration for an authority that never responded
  gone       Ann is signed in, and the authority no longer responds
  damaged    a token store that is not a database
  keyless    Ann is signed in, and the store's key is lost

Output: "" is no output; "json:NAME" is a document of docs/output.schema.json; anything else is a regular expression for
a part of it. {home} is the home of the row, {authority} the authority's URL.
"""

ANN = "ann@contoso.example"


def none_yet(options=""):
    return rf"^No accounts\. Run 'keyturn sign-in{options}'\.\n$"


def sign_in_first(options=""):
    return rf"^keyturn: No accounts\.\n +Run 'keyturn sign-in{options}'\.\n$"


SIGN_IN_FIRST = sign_in_first()
NO_CONFIGURATION = r"^keyturn: No configuration\.\n +.*/keyturn/config\.json: no such file\.\n +Run 'keyturn' to set it up, or use --client-id"
TOKEN = r"^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$"


def usage(message, hint="", command=""):
    """The error for an invalid command line."""
    pointer = rf"See 'keyturn help{command}'\." if command is not None else ""
    return rf"^keyturn: {message}\n +{' '.join(part for part in (hint, pointer) if part)}\n$"


ROWS = [
    # The command line itself
    ("nothing", "--version", 0, r"^keyturn \d+\.\d+\.\d+\n$", ""),
    ("nothing", "--version -o json", 0, "json:version", ""),
    ("nothing", "--help", 0, r"(?s)^Usage: keyturn .*Commands:.*\n  token  .*Examples:\n  keyturn demo\n.*keyturn help options\n$", ""),
    ("nothing", "-h", 0, r"^Usage: keyturn ", ""),
    ("nothing", "help", 0, r"^Usage: keyturn \[options\] \[COMMAND\]\n", ""),
    ("nothing", "token --help", 0, r"(?s)^Usage: keyturn token .*Examples:\n  keyturn token", ""),
    ("nothing", "help token", 0, r"(?s)^Usage: keyturn token .*Examples:\n  keyturn token(?!.*--no-motion)", ""),
    ("nothing", "help options", 0, r"(?s)^Global options, .*--no-motion", ""),
    ("nothing", "help tokne", 2, "", usage("Unknown command 'tokne'\\.", "Did you mean token\\?")),
    ("nothing", "sign-out --help", 0, r"(?s)^Usage: keyturn sign-out \[options\] ACCOUNT\n.*--browser", ""),
    ("nothing", "remove --help", 0, r"^Usage: keyturn remove \[options\] \[ACCOUNT\]\n", ""),
    ("nothing", "completions --help", 0, r"(?s)^Usage: keyturn completions .*eval", ""),
    ("nothing", "", 2, "", usage("The terminal program needs a terminal\\.", "Use 'keyturn --plain', .*", None)),
    ("nothing", "--plain", 0, r"(?s)^\nWelcome to Keyturn\..*\n1\. Microsoft Entra ID.*Your choice: \n$", ""),
    ("nothing", "call --help", 0, r"(?s)^Usage: keyturn call \[options\] URL\n.*-d, --data", ""),
    ("nothing", "call", 2, "", usage("'keyturn call' needs URL\\.", command=" call")),
    ("nothing", "call nonsense", 2, "", r"^keyturn: 'keyturn call' doesn't accept 'nonsense'\.\n +Use an https URL\."),
    ("nothing", "call http://api.example/x", 2, "", r"^keyturn: http://api\.example/x doesn't use https\.\n"),
    ("nothing", "call -H nonsense https://api.example", 2, "", r"^keyturn: Invalid --header '…'\.\n"),
    # Nothing of these is sent, nor printed: the value may be a token.
    *[("nothing", f"call -H '{line}: s3cret' https://api.example", 2, "", rf"^keyturn: Invalid --header '{shown}'\.\n(?!.*s3cret)")
      for line, shown in [
          ("authorization ", "…"), (" Authorization", "…"), ("A B", "…"), ("Ä", "…"), ("", "…"),
          *[(name, f"{name}: …") for name in (
              "Authorization", "AUTHORIZATION", "Content-Length", "transfer-encoding", "Host", "Connection", "Keep-Alive", "TE",
              "Trailer", "Upgrade", "Expect")]]],
    ("nothing", "mcp --help", 0, r"(?s)^Usage: keyturn mcp \[options\] URL\n.*--client CLIENT", ""),
    ("nothing", "mcp", 2, "", usage("'keyturn mcp' needs URL\\.", command=" mcp")),
    ("nothing", "mcp nonsense", 2, "", r"^keyturn: 'keyturn mcp' doesn't accept 'nonsense'\.\n +Use an https URL\."),
    ("nothing", "mcp http://mail.example/mcp", 2, "", r"^keyturn: http://mail\.example/mcp doesn't use https\.\n"),
    ("nothing", "mcp -H 'Authorization: s3cret' https://mail.example/mcp", 2, "", r"^keyturn: Invalid --header 'Authorization: …'\.\n(?!.*s3cret)"),
    ("nothing", "mcp --client emacs https://mail.example/mcp", 2, "", r"^keyturn: Invalid --client 'emacs'\.\n +Use claude-code, "),
    ("nothing", "mcp --client codex --ca-file ca.pem -q https://mail.example/mcp", 0, r'^\[mcp_servers\.mail-example\]\ncommand = "/.*"\nargs = \["mcp","--ca-file","/.*/ca\.pem","--quiet","https://mail\.example/mcp"\]\n$', ""),
    ("nothing", "mcp --client vscode https://mail.example/mcp", 0, r'(?s)^\{\n  "servers" : \{\n    "mail-example" : .*"type" : "stdio"', ""),
    ("nothing", "mcp https://mail.example/mcp", 0, "", "", ""),
    ("nothing", "mcp https://mail.example/mcp", 0, r'^\{"error":\{"code":-32700,"message":"[^"]*"\},"id":null,"jsonrpc":"2\.0"\}\n$', "", "{broken\n"),
    ("nothing", "mcp --profile none https://mail.example/mcp", 3, "", r"^keyturn: No configuration\.\n"),
    ("nothing", "token --resource http://api.example", 3, "", r"http://api\.example is not the URL of a resource: it must be an https URL"),
    ("nothing", "client-metadata https://example.com/k.json", 0, r'"client_id":"https:.*/k\.json"', ""),
    ("nothing", "client-metadata https://example.com", 2, "", r"^keyturn: 'keyturn client-metadata' doesn't accept"),
    ("configured", "token --challenge Basic", 1, "", r"contains no Bearer challenge"),
    ("nothing", "claims --json", 2, "", usage("Unknown option --json\\.", "Did you mean -o json\\?", " claims")),
    ("nothing", "token -u ann", 2, "", usage("Unknown option -u\\.", "Did you mean --account\\?", " token")),
    ("nothing", "demo --list-faults", 0, r"^FAULT +CLIENTS MUST ", ""),
    ("nothing", "tokne", 2, "", usage("Unknown command 'tokne'\\.", "Did you mean token\\?")),
    ("nothing", "frobnicate", 2, "", usage("Unknown command 'frobnicate'\\.")),
    ("nothing", "login", 2, "", usage("Unknown command 'login'\\.", "Did you mean sign-in\\?")),
    ("nothing", "logout", 2, "", usage("Unknown command 'logout'\\.", "Did you mean sign-out\\?")),
    ("nothing", "--confg x", 2, "", usage("Unknown option --confg\\.", "Did you mean --config\\?")),
    ("nothing", "--frobnicate", 2, "", usage("Unknown option --frobnicate\\.")),
    ("nothing", "-x", 2, "", usage("Unknown option -x\\.")),
    ("nothing", "--no", 2, "", usage("--no is ambiguous: --no-color or --no-motion\\.")),
    ("nothing", "--config", 2, "", usage("--config needs an argument: FILE\\.")),
    ("nothing", "--config=", 2, "", usage("--config needs an argument: FILE\\.")),
    ("nothing", "--quiet=yes", 2, "", usage("--quiet takes no argument\\.")),
    ("nothing", "token extra", 2, "", usage("'keyturn token' doesn't accept 'extra'\\.", "", " token")),
    ("nothing", "token --forse-refresh", 2, "",
     usage("Unknown option --forse-refresh\\.", "Did you mean --force-refresh\\?", " token")),
    ("nothing", "token -o yaml", 2, "",
     usage("Invalid --output 'yaml'\\.", "Use token, json, header, headers, env or exec-credential\\.", None)),
    ("nothing", "token -o jsno", 2, "", usage("Invalid --output 'jsno'\\.", "Did you mean json\\? Use .*", None)),
    ("nothing", "token --min-validity soon", 2, "",
     usage("Invalid --min-validity 'soon'\\.", "Use a number of seconds\\.", None)),
    ("nothing", "token --min-validity -5", 2, "",
     usage("Invalid --min-validity '-5'\\.", "Use a number of seconds\\.", None)),
    ("nothing", "token --authority contoso", 2, "", usage("Invalid --authority 'contoso'\\.", "Use an https URL\\.", None)),
    ("nothing", "token --authority http://login.example.org", 2, "",
     usage("Invalid --authority 'http://login.example.org'\\.", "Use https: http works only on this computer\\.", None)),
    ("nothing", "sign-in --method phone", 2, "", usage("Invalid --method 'phone'\\.", "Use browser, .*", None)),
    ("nothing", "sign-in --way device", 2, "", usage("Unknown option --way\\.", "Did you mean --method\\?", " sign-in")),
    ("nothing", "sign-in --prompt none", 2, "", usage("Invalid --prompt 'none'\\.", "Use select_account, .*", None)),
    ("nothing", "sign-in --listen nowhere", 2, "", usage("Invalid --listen 'nowhere'\\.", "Use \\[ADDRESS:\\]PORT or .*", None)),
    ("nothing", "claims --token refresh", 2, "", usage("Invalid --token 'refresh'\\.", "Use id, access or -\\.", None)),
    ("nothing", "remove", 2, "", usage("'keyturn remove' needs ACCOUNT or --all\\.", "", " remove")),
    ("nothing", f"remove {ANN} --all", 2, "",
     usage("Both ACCOUNT and --all are given\\.", "Use ACCOUNT or --all, not both\\.", None)),
    ("nothing", "sign-out", 2, "", usage("'keyturn sign-out' needs ACCOUNT\\.", "", " sign-out")),
    ("nothing", "import", 2, "", usage("'keyturn import' needs unified\\|adal\\|known\\.", "", " import")),
    ("nothing", "import unified", 2, "", usage("'keyturn import' needs FILE\\.", "", " import")),
    ("nothing", "import keepass x", 2, "",
     usage("'keyturn import' doesn't accept 'keepass'\\.", "Use unified, adal or known\\.", " import")),
    ("nothing", "export unified", 2, "", usage("'keyturn export' needs FILE\\.", "", " export")),
    ("nothing", "open-url", 2, "", usage("'keyturn open-url' needs URL\\.", "", " open-url")),
    ("nothing", "open-url nowhere", 2, "", r"^keyturn: Not a URL\.\n +Enter the whole URL in quotes\.\n$"),
    ("nothing", "completions", 2, "", usage("'keyturn completions' needs bash\\|zsh\\|fish\\.", "", " completions")),
    ("nothing", "completions tcsh", 2, "",
     usage("'keyturn completions' doesn't accept 'tcsh'\\.", "Use bash, zsh or fish\\.", " completions")),
    ("nothing", "authority --port 65536", 2, "",
     usage("Invalid --port '65536'\\.", "Use a number from 0 to 65535\\.", None)),

    # Commands that need no configuration read none
    ("mistaken", "--version", 0, r"^keyturn ", ""),
    ("mistaken", "completions bash", 0, r"complete -F _keyturn keyturn\n$", ""),
    ("mistaken", "completions zsh", 0, r"^#compdef keyturn\n", ""),
    ("mistaken", "completions fish", 0, r"complete --command keyturn ", ""),
    ("mistaken", "complete -- tok", 0, r"^token\t.*\n$", ""),
    ("mistaken", "complete -- --profile ''", 0, "", ""),
    ("mistaken", "open-url msauth.org.keyturn.app://auth?code=1", 1, "", r"^keyturn: No sign-in is waiting\."),
    ("mistaken", "open-url -", 1, "", r"^keyturn: No sign-in is waiting\.", "msauth.org.keyturn.app://auth?code=1\n"),
    ("mistaken", "open-url -", 2, "", r"^keyturn: Not a URL\."),
    ("mistaken", "claims --token -", 0, r"(?s)^Checks of the token\n +skipped +Signature +The token names no issuer\.\n.*alg +none.*Claims\n.*ada", "",
     "eyJhbGciOiJub25lIn0.eyJuYW1lIjoiYWRhIn0."),
    ("mistaken", "claims --token - -o json", 0, "json:claims", "", "Bearer eyJhbGciOiJub25lIn0.eyJuYW1lIjoiYWRhIn0.\n"),
    ("mistaken", "claims --token -", 1, "", r"^keyturn: Standard input isn't a JSON Web Token\.", "opaque"),
    ("mistaken", "claims --token - -o json", 1, "", "json:error", ""),

    # A missing or wrong configuration
    ("nothing", "token", 3, "", NO_CONFIGURATION),
    ("nothing", "token -o json", 3, "", "json:error"),
    ("nothing", "token --bogus -o json", 2, "", "json:error"),
    ("nothing", "sign-in", 3, "", NO_CONFIGURATION),
    ("nothing", "accounts", 3, "", NO_CONFIGURATION),
    ("nothing", "claims", 3, "", NO_CONFIGURATION),
    ("nothing", f"remove {ANN}", 3, "", NO_CONFIGURATION),
    ("nothing", f"sign-out {ANN}", 3, "", NO_CONFIGURATION),
    ("nothing", "export unified {home}/x.json", 3, "", NO_CONFIGURATION),
    ("nothing", "accounts --config {home}/none", 3, "",
     r"^keyturn: Can't read the configuration\.\n +.*/none: No such file or directory\.\n +Use another with --config FILE\.\n$"),
    ("nothing", "accounts --config {home}", 3, "", r": it is a folder\."),
    ("nothing", "accounts --client-id 1 --authority {authority}/contoso", 0, "",
     none_yet(r" --client-id 1 --authority http://127\.0\.0\.1:\d+/contoso")),
    ("nothing", "accounts --client-id 1 --authority {authority}/contoso --ca-file {home}/none", 3, "",
     r"^keyturn: The CA file .*/none is unreadable: No such file or directory\."),
    ("nothing", "sign-in --client-id 1 --authority {authority}/contoso --redirect-uri other://auth", 3, "",
     r"(?is)^keyturn: The redirect URI can't be used\..*\bother\b"),
    ("mistaken", "accounts", 3, "",
     r"^keyturn: The configuration is invalid\.\n +.*config\.json:5: profiles\.test\.clientID: unknown key\. Did you mean "
     r"\"clientId\"\?\n +.*config\.json:6: profiles\.test\.method: invalid value \"phone\"\. Use one of: "),
    ("mistaken", "accounts -o json", 3, "", "json:error"),
    ("configured", "accounts --profile other", 3, "", r"no profile \"other\"\.\n +Use one of: test\.\n$"),

    # No accounts
    ("configured", "accounts", 0, "", none_yet()),
    ("configured", "accounts -q", 0, "", ""),
    ("configured", "accounts -o json", 0, r"^\[\n*\]\n$", ""),
    ("configured", "token", 4, "", SIGN_IN_FIRST),
    ("configured", "token --no-interaction", 4, "", SIGN_IN_FIRST),
    ("configured", "token --no-interaction -q", 4, "", SIGN_IN_FIRST),
    ("configured", "token --no-interaction -o json", 4, "", "json:error"),
    ("configured", "token --no-interaction -o exec-credential", 4, "", SIGN_IN_FIRST),
    ("configured", f"token --no-interaction --account {ANN}", 4, "", rf"^keyturn: {ANN} is not signed in\."),
    ("configured", "claims", 4, "", SIGN_IN_FIRST),
    ("configured", f"remove {ANN}", 1, "", rf"^keyturn: No account {ANN} in the cache\."),
    ("configured", "remove --all", 0, "", r"^No accounts\.\n$"),
    ("configured", f"sign-out {ANN}", 1, "", rf"^keyturn: No account {ANN} in the cache\."),
    ("configured", "sign-in --method paste", 4, "", r"(?s)Open this URL .*keyturn: Standard input is closed or ended"),
    ("configured", "sign-in --method paste -q", 4, "", r"^Open this URL "),
    ("configured", "sign-in --method url-handler", 3, "",
     r"(?s)^keyturn: The redirect URI http://localhost leads to a listener, .*keyturn register"),
    ("configured", "sign-in --scope 'a b'", 2, "", usage("Invalid --scope 'a b'\\.", "Use the option once for each scope\\.", None)),
    ("configured", "register", 3, "", r"^keyturn: http://localhost has no custom scheme\."),
    ("configured", "import unified {home}/none", 1, "", r"^keyturn: .*/none"),
    ("configured", "export unified {home}/x.json", 0, "", r"^Wrote 0 accounts to .*/x\.json\.\n$"),

    # One account
    ("ann", "accounts", 0, rf"^USERNAME +ENVIRONMENT +IDENTIFIER +TOKEN\n{ANN}  127\.0\.0\.1:\d+  [\w.-]+  valid \d+ min\n$", ""),
    ("ann", "accounts -o json", 0, "json:accounts", ""),
    ("ann", "token", 0, TOKEN, ""),
    ("ann", "token --plain --ascii --no-color --no-motion", 0, TOKEN, ""),
    ("ann", "token -o json", 0, "json:token", ""),
    ("ann", "token -o headers", 0, r'^\{"Authorization":"Bearer eyJ[^"]+"\}\n$', ""),
    ("ann", "exec -- true", 0, "", ""),
    ("ann", "gate --scope User.Read http://127.0.0.1:9 -- true", 0, "", ""),
    ("ann", "gate --scope User.Read http://127.0.0.1:9 -- no-such-program", 127, "", r"^keyturn: The program no-such-program doesn't exist\."),
    ("ann", "gate http://127.0.0.1:9 --ask -- true", 2, "", r"^keyturn: There is no terminal to ask on\."),
    ("configured", "gate http://127.0.0.1:9 --no-interaction -- true", 4, "", SIGN_IN_FIRST),
    ("nothing", "gate", 2, "", usage("'keyturn gate' needs URL\\.", command=" gate")),
    ("nothing", "gate http://api.example", 2, "", r"^keyturn: 'keyturn gate' doesn't accept 'http://api\.example'\.\n +Use an https URL without a query\."),
    ("nothing", "gate --allow /mail https://api.example", 2, "", r"^keyturn: Invalid --allow '/mail'\.\n +Use a method and a path, for example 'GET /mail/\*'\."),
    ("nothing", "gate --port 1 --socket a https://api.example", 2, "", r"^keyturn: Both --port and --socket are given\."),
    ("nothing", "serve nonsense", 2, "", r"^keyturn: 'keyturn serve' doesn't accept 'nonsense'\.\n +Use managed-identity\."),
    ("ann", "serve managed-identity -- true", 0, "", ""),
    ("configured", "serve managed-identity --no-interaction -- true", 4, "", SIGN_IN_FIRST),
    ("nothing", "serve", 2, "", usage("'keyturn serve' needs managed-identity\\.", command=" serve")),
    ("nothing", "watch", 3, "", NO_CONFIGURATION),
    ("nothing", "watch --before soon", 2, "", usage("Invalid --before 'soon'\\.", "Use a time from 1m to 24h, for example 90s, 30m or 1h\\.", None)),
    ("nothing", "watch --before 48h", 2, "", usage("Invalid --before '48h'\\.", "Use a time from 1m to 24h, .*", None)),
    ("ann", "watch --timeout 1", 6, "", r"^Watching 1 account\. Next check in \d+ min\.\n(?s:.*)The time limit \(--timeout\) has passed"),
    ("ann", "watch --profile none", 3, "", r"^keyturn: Can.t select a profile\.\n"),
    ("ann", "exec -- no-such-program", 127, "", r"^keyturn: The program no-such-program doesn't exist\."),
    ("configured", "exec --no-interaction -- true", 4, "", SIGN_IN_FIRST),
    ("nothing", "exec", 2, "", usage("'keyturn exec' needs COMMAND\\.", command=" exec")),
    ("ann", "git-credential get --host https://a.example", 0, r"^username=oauth2\npassword=eyJ[^\n]+\npassword_expiry_utc=\d+\n$", "",
     "protocol=https\nhost=a.example\n\n"),
    ("ann", "git-credential get --host https://a.example", 0, "", "", "protocol=https\nhost=b.example\n\n"),
    ("nothing", "git-credential capability", 0, r"^version 0\ncapability authtype\n$", ""),
    ("fresh", "token -o json --force-refresh", 0, "json:token", ""),
    ("ann", "token -o header", 0, r"^Authorization: Bearer eyJ\S+\n$", ""),
    ("ann", "token -o env", 0, r"^export KEYTURN_ACCESS_TOKEN='eyJ\S+'\nexport KEYTURN_TOKEN_TYPE='Bearer'\nexport KEYTURN_EXPIRES_ON='\S+Z'\n$", ""),
    ("ann", "token -o exec-credential", 0, "json:execCredential", ""),
    ("ann", "token --min-validity 60", 0, TOKEN, ""),
    ("fresh", "token --min-validity 999999", 1, "", r"^keyturn: The new token expires in less than 999999 seconds\."),
    ("ann", "token --scope User.Read", 0, TOKEN, ""),
    ("fresh", "token --scope Mail.Read --no-interaction", 4, "", r"(?s)^keyturn: .*\(interactionRequired -50002, correlation ID "),
    ("ann", "token --scope openid --scope User.Read", 0, TOKEN, ""),
    ("ann", "token --scope openid --scope offline_access", 0, TOKEN, ""),
    ("ann", f"token --account {ANN.upper()}", 0, TOKEN, ""),
    ("ann", "token --account wang@contoso.example --no-interaction", 4, "", r"wang@contoso\.example is not signed in"),
    ("fresh", "token --tenant fabrikam --no-interaction", 4, "", r"AADSTS50020"),
    ("fresh", "token --claims {{ --no-interaction", 2, "", r"^keyturn: Invalid --claims '{'\.\n +Use a JSON object of claims"),
    ("fresh", "token -v --force-refresh", 0, TOKEN, r"^keyturn: log: (?!.*eyJ)(?!.*ann@)"),
    ("fresh", "token -qv --force-refresh", 0, TOKEN, ""),
    ("ann", "claims", 0, rf"(?s)^Account  {ANN}\n.*Checks of the ID token\n.*passed.*Claims of the ID token\n.*Claims of the access", ""),
    ("ann", "claims -o json", 0, "json:claims", ""),
    ("ann", "claims --token id", 0, r"(?s)Claims of the ID token(?!.*access token)", ""),
    ("ann", "claims --token access -o json", 0, "json:claims", ""),
    ("ann", "claims --account nobody", 1, "", r"^keyturn: No account nobody in the cache\."),
    ("ann", f"remove {ANN}", 0, "", rf"^Removed {ANN}\. 0 listed accounts left\.\nThe browser may still be signed in"),
    ("ann", f"remove {ANN} -q", 0, "", ""),
    ("ann", "remove --all", 0, "", rf"^Removed {ANN}"),
    ("ann", "remove --all -o json", 0, "json:removal", ""),
    ("ann", f"sign-out {ANN} -o json", 0, "json:removal", ""),
    ("ann", f"sign-out {ANN}", 0, "", rf"(?s)Removed {ANN}.*The refresh token is revoked at "),
    ("ann", f"export unified {{home}}/x.json -q", 0, "", ""),
    ("ann", "complete -- remove a", 0, rf"^{ANN}\t127\.0\.0\.1:\d+\n$", ""),
    ("ann", "complete -- token --scope ''", 0, r"^User\.Read\t\n$", ""),

    ("ann", "token --authority {authority}/common", 0, TOKEN, ""),
    ("ann", "token --authority {authority}/contoso -o json", 0, "json:token", ""),
    ("ann", "token --authority https://login.example.org/other --no-interaction", 4, "",
     r"^keyturn: No account at https://login\.example\.org/other\.\n +Run 'keyturn sign-in --authority \S+'\.\n$"),
    ("ann", "token --client-id other --no-interaction", 4, "", sign_in_first(" --client-id other")),
    ("ann", "token --cache {home}/other.db --no-interaction", 4, "", sign_in_first(r" --cache \S+/other\.db")),
    ("ann", "accounts --cache {home}/other.db -q", 0, "", ""),

    # The user decides
    ("declining", "sign-in --scope Mail.Read", 5, "", r"(?s)http.*\nkeyturn: "),
    ("declining", "sign-in --scope Mail.Read -q", 5, "", r"^keyturn: "),
    ("declining", "token --scope Mail.Read -o json", 5, "", "json:error"),
    ("unticking", "sign-in --scope User.Read --scope Mail.Read -q", 8, "", r"(?s)^keyturn: .*Mail\.Read"),
    ("unticking", "token --scope User.Read --scope Mail.Read -o json", 8, "", "json:error"),

    # Without a network
    ("mistaken", "explain AADSTS50076", 0, r"AADSTS50076|50076", ""),
    ("mistaken", "explain invalid_grant -o json", 0, "json:explanation", ""),
    ("mistaken", "explain -", 0, r"ada", "", "eyJhbGciOiJub25lIn0.eyJuYW1lIjoiYWRhIn0."),
    ("mistaken", "explain nothing-at-all", 1, "", r"^keyturn: Not recognised as an error code, URL, token, recording or log\."),
    ("nothing", "explain", 2, "", usage("'keyturn explain' needs FILE\\|CODE\\|URL\\|TOKEN\\.", "", " explain")),
    ("nothing", "check --offline", 3, r"(?s).", ""),
    ("ann", "check --offline", 0, r"(?s).", ""),
    ("ann", "check --offline -o json", 0, "json:check", ""),
    ("ann", "report --offline", 0, r"(?s)^# Keyturn support report\n.*## Last token request\ninteractive, ", ""),
    ("nothing", "report --offline", 0, r"(?s)\[failed\] Configuration.*None recorded\.\n$", ""),
    ("nothing", "report extra", 2, "", usage("'keyturn report' doesn't accept 'extra'\\.", "", " report")),

    # Two accounts
    ("two", "token --no-interaction", 2, "", r"^keyturn: Several accounts: .*\n +Choose one with --account, or a default: .keyturn accounts --default USER.\.\n$"),
    ("two", "token --account wang@contoso.example", 0, TOKEN, ""),
    ("two", "claims", 2, "", r"^keyturn: Several accounts: "),
    ("two", "token --account wang", 0, TOKEN, ""),
    ("two", "accounts --default wang -o json", 0, "json:accounts", ""),
    ("two", "accounts --default wang --no-default", 2, "", r"Both --default and --no-default are given"),
    ("two", "accounts --default zoe", 1, "", r"^keyturn: No account zoe in the cache\."),
    ("two", f"remove {ANN}", 0, "", r"1 listed account left"),
    ("two", "remove --all", 0, "", r"(?s)1 listed account left.*0 listed accounts left"),

    # Later failures
    ("changed", "token --force-refresh --no-interaction", 4, "", r"AADSTS50173"),
    ("changed", "token --force-refresh --no-interaction -o json", 4, "", "json:error"),
    ("gone", "token", 0, TOKEN, ""),
    ("gone", "accounts", 0, rf"^USERNAME.*\n{ANN}", ""),
    ("gone", "token --force-refresh", 6, "", r"(?m)^keyturn: Can't reach 127\.0\.0\.1:\d+: Connection refused\.\n +Check the network"),
    ("gone", "token --force-refresh -o json", 6, "", "json:error"),
    ("unreachable", "sign-in", 6, "", r"Can't reach 127\.0\.0\.1:\d+: "),
    ("unreachable", "sign-in -o json", 6, "", r'\{"error":'),
    ("unreachable", "token", 4, "", SIGN_IN_FIRST),
    ("damaged", "accounts", 7, "", r"(?s)^keyturn: .*\n +\S"),
    ("damaged", "token -o json", 7, "", "json:error"),
    ("keyless", "accounts", 7, "", r"(?s)^keyturn: .*key.*\n +\S"),
]
