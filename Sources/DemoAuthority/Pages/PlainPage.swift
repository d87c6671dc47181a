import OAuthCore

/// A page that only says something.
struct PlainPage: Page {
    let title: String
    let content: HTML
}
