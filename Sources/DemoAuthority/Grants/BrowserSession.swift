import Foundation

/// The session of a browser's cookie.
struct BrowserSession: Sendable, Equatable {
    struct SignedInPerson: Sendable, Equatable {
        var personID: String
        var authenticatedAt: Date
        var sessionID: String
        /// How they proved who they are (RFC 8176).
        var methods = ["pwd"]
    }

    /// The one who signed in last comes first.
    var people: [SignedInPerson] = []

    mutating func signIn(_ person: SignedInPerson) {
        people.removeAll { $0.personID == person.personID }
        people.insert(person, at: 0)
    }
}

/// A sign-in in progress in a browser.
struct PendingSignIn: Sendable, Equatable {
    let request: AuthorizeRequest
    /// The browser of the sign-in (digest of its cookie). Forms from other browsers are rejected.
    var browserKey: String
    /// Repeated in each form (RFC 9700 §4.7 asks for defence against forged requests).
    let antiForgeryToken: String
    /// Who the pages after the sign-in page are about.
    var person: BrowserSession.SignedInPerson?
    /// What the consent page listed.
    var askedConsents: [RequestedScope] = []
}
