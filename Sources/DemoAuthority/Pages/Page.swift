import CResources
import OAuthCore

/// A page of the authority, as a Swift value instead of a template file: the compiler checks the placeholders, and ``HTML`` escapes
/// the values. It needs no script. Its buttons are `<input type=submit>`, the only kind that works in w3m and lynx.
struct Page: Sendable {
    let title: String
    let content: HTML

    var document: HTML {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title)</title>
        <link rel="stylesheet" href="/assets/style.css">
        </head>
        <body>
        <header><span class="mark" aria-hidden="true"></span>Keyturn authority <small>a demonstration</small></header>
        <main>
        <h1>\(title)</h1>
        \(content)
        </main>
        </body>
        </html>

        """
    }

    /// A message that a screen reader announces.
    static func alert(_ text: String?) -> HTML {
        text.map { "<p class=\"alert\" role=\"alert\">\($0)</p>" } ?? ""
    }
}

enum Stylesheet {
    static let response = HTTPResponse(
        status: 200,
        headers: [
            "Content-Type": "text/css; charset=utf-8", "Cache-Control": "max-age=3600",
            "X-Content-Type-Options": "nosniff",
        ],
        body: Array(keyturn_resource_authority_style()))
}

extension Page {
    static func error(_ error: AuthorityError, _ received: ReceivedRequest) -> Page {
        Page(
            title: "Sign-in failed",
            content: """
                \(alert(error.message))
                <p>Go back to the application and start again. If it persists, send these details to support:</p>
                <dl class="facts">
                <dt>Error</dt><dd><code>\(error.oauthError)</code></dd>
                <dt>Trace ID</dt><dd><code>\(received.traceID)</code></dd>
                <dt>Correlation ID</dt><dd><code>\(received.correlationID)</code></dd>
                <dt>Time</dt><dd><code>\(received.timestamp)</code></dd>
                </dl>
                """)
    }

    /// OAuth 2.0 Form Post Response Mode §2. Pages have no script, so the user presses the button.
    static func formPost(_ parameters: Parameters, to target: String, of client: String) -> Page {
        Page(
            title: "Back to \(client)",
            content: """
                <p>You are done here.</p>
                <form method="post" action="\(target)">
                \(parameters.pairs.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">\n" })
                <p class="buttons"><input type="submit" value="Continue" autofocus></p>
                </form>
                """)
    }

    static func home(_ origin: String, _ directory: Directory) -> Page {
        let tenants = directory.tenants.map { tenant -> HTML in
            let issuer = "\(origin)/\(tenant.id)/v2.0"
            return """
                <dt>\(tenant.name)</dt>
                <dd>\(tenant.domains.joined(separator: ", "))<br>
                <a href="\(issuer)/.well-known/openid-configuration">\(issuer)</a></dd>

                """
        }
        let users = directory.users.map { user -> HTML in
            "<dt><bdi>\(user.name)</bdi></dt><dd><kbd>\(user.username)</kbd><br>\(user.story)</dd>\n"
        }
        return Page(
            title: "An authority for trying out sign-ins",
            content: """
                <p>It issues real tokens, signed with a key that lasts until the program ends.</p>
                <h2>Tenants</h2>
                <dl>
                \(tenants)
                </dl>
                <h2>Applications</h2>
                <dl>
                \(directory.clients.map { "<dt>\($0.name)</dt><dd><code>\($0.id)</code></dd>\n" })
                </dl>
                <h2>Users</h2>
                <dl>
                \(users)
                </dl>
                """)
    }
}

/// The fields that bind a form to its sign-in.
struct FormBinding: Sendable {
    let action: String
    let flowID: String
    let antiForgeryToken: String

    var fields: HTML {
        """
        <input type="hidden" name="flow" value="\(flowID)">
        <input type="hidden" name="token" value="\(antiForgeryToken)">
        """
    }
}

extension Page {
    static func signIn(
        to place: String, for client: String, username: String, problem: String?, users: [User], form: FormBinding
    ) -> Page {
        let entries = users.map { user -> HTML in
            """
            <dt><bdi>\(user.name)</bdi></dt>
            <dd><kbd>\(user.username)</kbd> <kbd>\(user.password)</kbd><br>\(user.story)</dd>

            """
        }
        return Page(
            title: "Sign in to \(place)",
            content: """
                <p>to continue to <b>\(client)</b></p>
                \(alert(problem))
                <form method="post" action="\(form.action)">
                \(form.fields)
                <p><label for="username">Username</label>
                <input id="username" name="username" type="text" value="\(username)" autocomplete="username" autocapitalize="none"
                spellcheck="false" required\(username.isEmpty ? " autofocus" : "")></p>
                <p><label for="password">Password</label>
                <input id="password" name="password" type="password" autocomplete="current-password"\
                \(username.isEmpty ? "" : " autofocus")></p>
                <p class="buttons"><input type="submit" value="Sign in">
                <input type="submit" name="cancel" value="Cancel" formnovalidate></p>
                </form>
                <section>
                <h2>Users</h2>
                <p>This is a demonstration. These users exist only on this computer:</p>
                <dl>
                \(entries)
                </dl>
                </section>
                """)
    }

    /// The second factor, as a page instead of a phone.
    static func secondFactor(for client: String, _ user: User, form: FormBinding) -> Page {
        Page(
            title: "Confirm your identity",
            content: """
                <p><b>\(client)</b> requires MFA for <b><bdi>\(user.name)</bdi></b> (\(user.username)).</p>
                <p>These buttons replace the prompt on your phone:</p>
                <form method="post" action="\(form.action)">
                \(form.fields)
                <p class="buttons"><input type="submit" name="approve" value="Approve">
                <input type="submit" name="deny" value="Cancel"></p>
                </form>
                """)
    }

    /// Shown if several accounts are signed in, or if the client requests it (`select_account`).
    static func accountPicker(for client: String, _ users: [User], form: FormBinding) -> Page {
        let buttons = users.map { user -> HTML in
            "<li><bdi>\(user.name)</bdi> <input type=\"submit\" name=\"account\" value=\"\(user.username)\"></li>\n"
        }
        return Page(
            title: "Pick an account",
            content: """
                <p>to continue to <b>\(client)</b></p>
                <form method="post" action="\(form.action)">
                \(form.fields)
                <ul class="accounts">
                \(buttons)
                </ul>
                <p class="buttons"><input type="submit" name="other" value="Use another account">
                <input type="submit" name="cancel" value="Cancel"></p>
                </form>
                """)
    }

    struct Permission {
        let scope: RequestedScope
        let title: String
        let explanation: String
    }

    /// The permissions that a client requests, each with a checkbox. OpenID scopes are required.
    static func consent(for client: String, _ user: User, _ permissions: [Permission], form: FormBinding) -> Page {
        let lines = permissions.enumerated().map { number, item -> HTML in
            let state: HTML =
                item.scope.kind == .openID
                ? "checked disabled" : "name=\"scope\" value=\"\(item.scope.consentKey)\" checked"
            return """
                <li><input type="checkbox" id="scope\(String(number))" \(state)> \
                <label for="scope\(String(number))"><b>\(item.title)</b> <code>(\(item.scope.text))</code>
                <span>\(item.explanation)</span></label></li>

                """
        }
        return Page(
            title: "Permissions requested",
            content: """
                <p><b>\(client)</b> requests access to the account of <b><bdi>\(user.name)</bdi></b> (\(user.username)):</p>
                <form method="post" action="\(form.action)">
                \(form.fields)
                <ul class="scopes">
                \(lines)
                </ul>
                <p class="buttons"><input type="submit" name="accept" value="Accept">
                <input type="submit" name="decline" value="Decline"></p>
                </form>
                """)
    }

    /// Asks before signing out, because any site can link to this page (RP-Initiated Logout §2).
    static func signOut(
        _ users: [User], action: String, antiForgeryToken: String, returnTo target: String?, state: String?
    ) -> Page {
        func hidden(_ name: String, _ value: String?) -> HTML {
            value.map { "<input type=\"hidden\" name=\"\(name)\" value=\"\($0)\">\n" } ?? ""
        }
        return Page(
            title: "Sign out?",
            content: """
                <p>Signed in with this browser:</p>
                <ul>
                \(users.map { "<li><bdi>\($0.name)</bdi> (\($0.username))</li>\n" })
                </ul>
                <form method="post" action="\(action)">
                <input type="hidden" name="token" value="\(antiForgeryToken)">
                \(hidden("post_logout_redirect_uri", target))\(hidden("state", state))
                <p class="buttons"><input type="submit" name="confirm" value="Sign out">
                <input type="submit" name="cancel" value="Stay signed in"></p>
                </form>
                """)
    }

    /// `code` fills in the field; the user must still press the button (RFC 8628 §5.4).
    static func device(code: String?, problem: String? = nil) -> Page {
        Page(
            title: "Device sign-in",
            content: """
                <p>Enter the code shown on your other device. Continue only if you started this sign-in yourself.</p>
                \(alert(problem))
                <form method="post" action="/device">
                <p><label for="user_code">Code</label>
                <input id="user_code" name="user_code" type="text" value="\(code ?? "")" autocomplete="off"
                autocapitalize="characters" spellcheck="false" maxlength="32" required autofocus></p>
                <p class="buttons"><input type="submit" value="Continue"></p>
                </form>
                """)
    }

    static func deviceDone(client: String, user: User) -> Page {
        Page(
            title: "Your device is signed in",
            content: """
                <p><b>\(client)</b> continues as <b><bdi>\(user.name)</bdi></b> (\(user.username)).</p>
                <p>You can close this page.</p>
                """)
    }

    static func deviceDeclined(client: String) -> Page {
        Page(title: "Sign-in declined", content: "<p><b>\(client)</b> has no access. You can close this page.</p>")
    }
}
