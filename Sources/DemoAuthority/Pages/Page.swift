import OAuthCore

/// A page of the authority.
///
/// Pages are Swift values, not template files: the compiler checks that every gap is filled, and ``HTML`` escapes what fills
/// it. They need no script, and their buttons are `<input type=submit>`, the only ones that w3m and lynx can press.
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

/// What ties a form to the sign-in it continues.
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
