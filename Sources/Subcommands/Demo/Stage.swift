import DemoAuthority
import Foundation
import MSAL

/// What a scenario is played on: the applications, somebody at a browser, and time that passes.
struct Stage: Sendable {
    /// The applications that share the cache, by their place.
    var application: @Sendable (Int) throws -> MSALPublicClientApplication
    /// Somebody takes the browser from the first page to the listener.
    var walk: @Sendable (URL, Actor, _ say: @escaping @Sendable (String) -> Void) async throws -> Void
    /// Somebody enters a device's code, and comes to the last page.
    var enterCode: @Sendable (URL, Actor, _ say: @escaping @Sendable (String) -> Void) async throws -> Void
    var wait: @Sendable (TimeInterval) async throws -> Void
    /// The authority's address with this path.
    var authority: @Sendable (_ segment: String) throws -> MSALAuthority

    /// Who plays, and what they answer when they are asked to agree.
    struct Actor: Sendable {
        var person: Person
        var consent: ScriptedPerson.Consent
    }
}
