import CResources
import OAuthCore

/// A page of the authority.
///
/// Pages are Swift values, not template files: the compiler checks the placeholders, and ``HTML`` escapes the values.
/// They need no script. Their buttons are `<input type=submit>`, the only kind that works in w3m and lynx.
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

/// The stylesheet of all pages, a file in `Resources`.
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
    /// An error that can't be sent to the client.
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

    /// Sends the response to the client as a form (OAuth 2.0 Form Post Response Mode §2). Pages have no script, so the user
    /// presses the button.
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

    /// The page at the authority's URL.
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
