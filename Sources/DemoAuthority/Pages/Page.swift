import CResources
import OAuthCore

/// A page of the authority.
///
/// Pages are Swift values, not template files: the compiler checks the placeholders, and ``HTML`` escapes the values.
/// They need no script. Their buttons are `<input type=submit>`, the only kind that works in w3m and lynx.
package protocol Page: Sendable {
    var title: String { get }
    var content: HTML { get }
}

extension Page {
    package var document: HTML {
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

/// A message that a screen reader announces.
func alert(_ text: String?) -> HTML {
    text.map { "<p class=\"alert\" role=\"alert\">\($0)</p>" } ?? ""
}

/// A page without a form.
struct MessagePage: Page {
    let title: String
    let content: HTML
}

/// The stylesheet of all pages, a file in `Resources`.
enum Stylesheet {
    static let response: HTTPResponse = {
        let resource = keyturn_resource_authority_style()
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "text/css; charset=utf-8", "Cache-Control": "max-age=3600",
                "X-Content-Type-Options": "nosniff",
            ],
            body: Array(UnsafeBufferPointer(start: resource.bytes, count: resource.count)))
    }()
}

/// An error that can't be sent to the client.
struct ErrorPage: Page {
    let error: AuthorityError
    let received: ReceivedRequest

    var title: String { "Sign-in failed" }

    var content: HTML {
        """
        \(alert(error.message))
        <p>Go back to the application and start again. If it persists, send these details to support:</p>
        <dl class="facts">
        <dt>Error</dt><dd><code>\(error.oauthError)</code></dd>
        <dt>Trace ID</dt><dd><code>\(received.traceID)</code></dd>
        <dt>Correlation ID</dt><dd><code>\(received.correlationID)</code></dd>
        <dt>Time</dt><dd><code>\(received.timestamp)</code></dd>
        </dl>
        """
    }
}

/// Sends the response to the client as a form (OAuth 2.0 Form Post Response Mode §2). Pages have no script, so the user
/// presses the button.
struct FormPostPage: Page {
    let client: String
    let target: String
    let parameters: Parameters

    var title: String { "Back to \(client)" }

    var content: HTML {
        """
        <p>You are done here.</p>
        <form method="post" action="\(target)">
        \(parameters.pairs.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">\n" })
        <p class="buttons"><input type="submit" value="Continue" autofocus></p>
        </form>
        """
    }
}
