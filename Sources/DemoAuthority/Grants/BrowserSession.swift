import Foundation

/// The session of a browser's cookie.
struct BrowserSession: Sendable, Equatable {
    struct SignedInPerson: Sendable, Equatable {
        var personID: String
        var authenticatedAt: Date
        var sessionID: String
        /// The authentication methods used (RFC 8176).
        var methods = ["pwd"]
    }

    /// The signed-in users, latest sign-in first.
    var people: [SignedInPerson] = []

    mutating func signIn(_ person: SignedInPerson) {
        people.removeAll { $0.personID == person.personID }
        people.insert(person, at: 0)
    }
}

/// A sign-in in progress in a browser.
struct PendingSignIn: Sendable, Equatable {
    let request: AuthorizeRequest
    /// The sign-in's browser, as the digest of its cookie. Forms from other browsers are rejected.
    var browserKey: String
    /// The anti-forgery token in each form (RFC 9700 §4.7).
    let antiForgeryToken: String
    /// The user of the pages after the sign-in page.
    var person: BrowserSession.SignedInPerson?
    /// The scopes listed on the consent page.
    var askedConsents: [RequestedScope] = []
}
