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
