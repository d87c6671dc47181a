import OAuthCore

extension HTTPResponse {
    var isForPrograms: Bool { headers["Content-Type"]?.hasPrefix("application/json") ?? false }

    static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [
                "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", "Pragma": "no-cache",
            ],
            body: Array(value.serialized.utf8))
    }

    /// A public document, with the same lifetime as in Entra.
    static func document(_ value: JSONValue) -> HTTPResponse {
        var response = json(value)
        response.headers["Cache-Control"] = "max-age=86400, private"
        response.headers["Pragma"] = nil
        return response
    }

    /// A page without scripts or framing that sends forms only to this authority and to `formTargets`. Chromium also applies
    /// `form-action` to redirects that follow a form, so the policy must include the client's redirect URI.
    static func page(_ page: Page, status: Int = 200, formTargets: [String] = []) -> HTTPResponse {
        let targets = (["'self'"] + formTargets).joined(separator: " ")
        return HTTPResponse(
            status: status,
            headers: [
                "Content-Type": "text/html; charset=utf-8",
                "Content-Security-Policy":
                    "default-src 'none'; style-src 'self'; form-action \(targets); base-uri 'none'; frame-ancestors 'none'",
                "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
                "X-Frame-Options": "DENY",
            ],
            body: Array(page.document.markup.utf8))
    }

    /// A redirect with status 303, which makes the browser use GET (RFC 9700 §4.12).
    static func redirect(to location: String) -> HTTPResponse {
        HTTPResponse(
            status: 303, headers: ["Location": location, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"])
    }
}

/// Rejections of requests that aren't OAuth requests.
enum PlainRejection {
    static let notFound = page(404, "Page not found", "This authority has no such page.")
    static let uriTooLong = page(414, "The URL is too long", "The limit is 16 KiB.")
    static let contentTooLarge = page(413, "The request is too large", "The limit is 64 KiB.")
    static let misdirected = page(421, "Wrong host", "This authority responds only at this computer's own address.")

    private static func page(_ status: Int, _ title: String, _ text: String) -> HTTPResponse {
        .page(Page(title: title, content: "<p>\(text)</p>"), status: status)
    }
}
