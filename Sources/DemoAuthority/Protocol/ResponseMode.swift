/// The response mode (OAuth 2.0 Multiple Response Type Encoding Practices §2.1, Form Post Response Mode §2).
enum ResponseMode: String, Sendable, CaseIterable {
    case query
    case fragment
    case formPost = "form_post"
}
