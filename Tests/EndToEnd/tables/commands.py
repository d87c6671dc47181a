"""Commands in each situation, with their exit status, standard output and standard error: those that need a process, standard
input, the user's own folders, the schema of the JSON output, or a damaged home. Tests/SubcommandsTests/CommandTableTests.swift has all others.

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
  gone       Ann is signed in, and the authority no longer responds
  damaged    a token store that is not a database
  keyless    Ann is signed in, and the store's key is lost

Output: "" is no output; "json:NAME" is a document of docs/output.schema.json; anything else is a regular expression for
a part of it. {home} is the home of the row, {authority} the authority's URL.
"""

ANN = "ann@contoso.example"


ROWS = [
    # The command line itself
    ("nothing", "--version -o json", 0, "json:version", ""),
    ("nothing", "--plain", 0, r"(?s)^\nWelcome to Keyturn\..*\n1\. Microsoft Entra ID.*Your choice: \n$", ""),
    ("nothing", "mcp https://mail.example/mcp", 0, "", "", ""),
    ("nothing", "mcp https://mail.example/mcp", 0, r'^\{"error":\{"code":-32700,"message":"[^"]*"\},"id":null,"jsonrpc":"2\.0"\}\n$', "", "{broken\n"),

    # Commands that need no configuration read none
    ("mistaken", "open-url -", 1, "", r"^keyturn: No sign-in is waiting\.", "msauth.org.keyturn.app://auth?code=1\n"),
    ("mistaken", "open-url -", 2, "", r"^keyturn: Not a URL\."),
    ("mistaken", "claims --token -", 0, r"(?s)^Checks of the token\n +skipped +Signature +The token names no issuer\.\n.*alg +none.*Claims\n.*ada", "",
     "eyJhbGciOiJub25lIn0.eyJuYW1lIjoiYWRhIn0."),
    ("mistaken", "claims --token - --fail", 3, r"skipped +Signature", "", "eyJhbGciOiJub25lIn0.eyJuYW1lIjoiYWRhIn0."),
    ("mistaken", "claims --token - -o json", 0, "json:claims", "", "Bearer eyJhbGciOiJub25lIn0.eyJuYW1lIjoiYWRhIn0.\n"),
    ("mistaken", "claims --token -", 1, "", r"^keyturn: Standard input isn't a JSON Web Token\.", "opaque"),
    ("mistaken", "claims --token - -o json", 1, "", "json:error", ""),

    # A missing or wrong configuration
    ("nothing", "token -o json", 3, "", "json:error"),
    ("nothing", "token --bogus -o json", 2, "", "json:error"),
    ("mistaken", "accounts -o json", 3, "", "json:error"),

    # Without a profile
    ("nothing", "accounts --client-id 1 --authority {authority}/contoso", 0, "",
     r"^No accounts\. Run 'keyturn sign-in --client-id 1 --authority http://127\.0\.0\.1:\d+/contoso'\.\n$"),
    ("nothing", "accounts --client-id 1 --authority {authority}/contoso --ca-file {home}/none", 3, "",
     r"^keyturn: The CA file .*/none is unreadable: No such file or directory\."),
    ("nothing", "sign-in --client-id 1 --authority {authority}/contoso --redirect-uri other://auth", 3, "",
     r"(?is)^keyturn: The redirect URI can't be used\..*\bother\b"),

    # No accounts
    ("configured", "token --no-interaction -o json", 4, "", "json:error"),

    # One account
    ("ann", "accounts -o json", 0, "json:accounts", ""),
    ("ann", "status -o json", 0, "json:status", ""),
    ("mistaken", "status -o json", 3, "", "json:error"),
    ("ann", "token -o json", 0, "json:token", ""),
    ("ann", "exec -- true", 0, "", ""),
    # The limit is Keyturn's own.
    ("ann", "exec --timeout 60 -- python3 -c 'import signal; print(signal.alarm(0))'", 0, r"^0\n$", ""),
    ("ann", "gate --scope User.Read http://127.0.0.1:9 -- true", 0, "", ""),
    ("ann", "gate --scope User.Read http://127.0.0.1:9 -- no-such-program", 127, "", r"^keyturn: The program no-such-program doesn't exist\."),
    ("ann", "gate http://127.0.0.1:9 --ask -- true", 2, "", r"^keyturn: There is no terminal to ask on\."),
    ("ann", "serve managed-identity -- true", 0, "", ""),
    ("ann", "watch --timeout 1", 6, "", r"^Watching 1 account\. Next check in \d+ min\.\n(?s:.*)The time limit \(--timeout\) has passed"),
    ("ann", "exec -- no-such-program", 127, "", r"^keyturn: The program no-such-program doesn't exist\."),
    ("ann", "git-credential get --host https://a.example", 0, r"^username=oauth2\npassword=eyJ[^\n]+\npassword_expiry_utc=\d+\n$", "",
     "protocol=https\nhost=a.example\n\n"),
    ("ann", "git-credential get --host https://a.example", 0, "", "", "protocol=https\nhost=b.example\n\n"),
    ("fresh", "token -o json --force-refresh", 0, "json:token", ""),
    ("ann", "token -o exec-credential", 0, "json:execCredential", ""),
    ("ann", "claims -o json", 0, "json:claims", ""),
    ("ann", "claims --token access -o json", 0, "json:claims", ""),
    ("ann", "remove --all -o json", 0, "json:removal", ""),
    ("ann", f"sign-out {ANN} -o json", 0, "json:removal", ""),
    ("ann", "token --authority {authority}/contoso -o json", 0, "json:token", ""),

    # The user decides
    ("declining", "sign-in --scope Mail.Read", 5, "", r"(?s)http.*\nkeyturn: "),
    ("declining", "sign-in --scope Mail.Read -q", 5, "", r"^keyturn: "),
    ("declining", "token --scope Mail.Read -o json", 5, "", "json:error"),
    ("unticking", "sign-in --scope User.Read --scope Mail.Read -q", 8, "", r"(?s)^keyturn: .*Mail\.Read"),
    ("unticking", "token --scope User.Read --scope Mail.Read -o json", 8, "", "json:error"),

    # Without a network
    ("mistaken", "explain invalid_grant -o json", 0, "json:explanation", ""),
    ("mistaken", "explain -", 0, r"ada", "", "eyJhbGciOiJub25lIn0.eyJuYW1lIjoiYWRhIn0."),
    ("ann", "check --offline -o json", 0, "json:check", ""),

    # Two accounts
    ("two", "accounts --default wang -o json", 0, "json:accounts", ""),

    # Later failures
    ("changed", "token --force-refresh --no-interaction", 4, "", r"AADSTS50173"),
    ("changed", "token --force-refresh --no-interaction -o json", 4, "", "json:error"),
    ("gone", "token --force-refresh -o json", 6, "", "json:error"),
    ("damaged", "accounts", 7, "", r"(?s)^keyturn: .*\n +\S"),
    ("damaged", "token -o json", 7, "", "json:error"),
    ("keyless", "accounts", 7, "", r"(?s)^keyturn: .*key.*\n +\S"),
]
