import OAuthCore

/// A page without a form.
struct PlainPage: Page {
    let title: String
    let content: HTML
}
