import OAuthCore

/// Rejections of requests that aren't OAuth requests.
enum PlainRefusal {
    static let notFound = page(404, "Page not found", "This authority has no such page.")
    static let uriTooLong = page(414, "The URL is too long", "The limit is 16 KiB.")
    static let contentTooLarge = page(413, "The request is too large", "The limit is 64 KiB.")
    static let misdirected = page(421, "Wrong host", "This authority responds only at this computer's own address.")

    private static func page(_ status: Int, _ title: String, _ text: String) -> HTTPResponse {
        .page(PlainPage(title: title, content: "<p>\(text)</p>"), status: status)
    }
}
