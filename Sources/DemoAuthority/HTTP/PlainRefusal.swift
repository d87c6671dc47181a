import OAuthCore

/// Requests that are refused before anything about OAuth is known of them.
enum PlainRefusal {
    static let notFound = page(404, "Nothing is here", "This authority has no such page.")
    static let uriTooLong = page(414, "The address is too long", "Addresses longer than 16 KiB are refused.")
    static let contentTooLarge = page(413, "That is too much", "Requests larger than 64 KiB are refused.")
    static let misdirected = page(421, "Wrong host", "This authority answers on this computer's own address only.")

    private static func page(_ status: Int, _ title: String, _ text: String) -> HTTPResponse {
        .page(PlainPage(title: title, content: "<p>\(text)</p>"), status: status)
    }
}
