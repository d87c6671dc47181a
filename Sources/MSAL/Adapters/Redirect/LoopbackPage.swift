import Foundation
import KeyturnCrypto
import OAuthCore

/// The page at the end of a sign-in. Contains nothing from the request.
struct LoopbackPage {
    enum Outcome {
        case received
        case rejected
        case cancelled
        case notTheResponse
        case oversized
    }

    var outcome: Outcome
    var application: String?

    func response(status: Int) -> HTTPResponse {
        HTTPResponse(status: status, headers: Self.fields, body: Array(html.markup.utf8))
    }

    static func redirect(to path: String) -> HTTPResponse {
        var response = HTTPResponse(status: 303, headers: fields)
        response.headers["Location"] = path
        return response
    }

    static func error(status: Int) -> HTTPResponse {
        var response = HTTPResponse(status: status, headers: fields)
        response.headers["Content-Type"] = "text/plain; charset=utf-8"
        response.body = Array("There is nothing here.\n".utf8)
        if status == 405 { response.headers["Allow"] = "GET, POST" }
        return response
    }

    private var text: (title: String, message: String) {
        let (program, subject) = (application ?? "the program", application ?? "The program")
        return switch outcome {
        case .received:
            ("Back to \(program)", "The response has arrived. You can close this page and go back to \(program).")
        case .rejected:
            ("The sign-in was rejected", "\(subject) shows the reason. You can close this page and go back there.")
        case .cancelled:
            ("The sign-in was cancelled", "Nothing was granted. You can close this page and go back to \(program).")
        case .notTheResponse:
            (
                "This response belongs to another sign-in",
                "\(subject) is still waiting. Continue on the page that it opened, or start again there."
            )
        case .oversized:
            (
                "Too many cookies",
                "\(subject) is still waiting. Delete this browser's cookies for the host in the address bar, then "
                    + "reload this page. Or start again in a private window."
            )
        }
    }

    /// Escapes the application's name, which can contain anything.
    private var html: HTML {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <meta name="color-scheme" content="light dark">
        <title>\(text.title)</title>
        <style>\(HTML(stringLiteral: Self.style))</style>
        </head>
        <body>
        <main>
        <h1>\(text.title)</h1>
        <p>\(text.message)</p>
        </main>
        </body>
        </html>

        """
    }

    /// System colours adapt to the user's colour scheme.
    private static let style =
        ":root{color-scheme:light dark}body{font:1.1rem/1.5 system-ui,sans-serif;margin:0;color:CanvasText;"
        + "background:Canvas}main{max-width:34rem;margin:18vh auto 0;padding:0 1.5rem}h1{font-size:1.6rem;line-height:1.25}"

    private static let fields: HTTPHeaders = {
        // Allows only this style sheet, by its hash (CSP level 3 §6.7.3).
        let hash = Data(SHA2.sha256(Array(style.utf8))).base64EncodedString()
        return [
            "Content-Type": "text/html; charset=utf-8",
            "Content-Security-Policy": "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; "
                + "form-action 'none'; frame-ancestors 'none'",
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
        ]
    }()
}
