import DemoAuthority
import Foundation
import MSAL

/// The applications, the user and the time of a scenario.
struct Stage: Sendable {
    /// The applications that share the cache, by index.
    var application: @Sendable (Int) throws -> MSALPublicClientApplication
    /// Signs in from the first page to the listener.
    var walk: @Sendable (URL, Actor, _ say: @escaping @Sendable (String) -> Void) async throws -> Void
    /// Enters a device code, to the last page.
    var enterCode: @Sendable (URL, Actor, _ say: @escaping @Sendable (String) -> Void) async throws -> Void
    var wait: @Sendable (TimeInterval) async throws -> Void
    /// The authority with this path.
    var authority: @Sendable (_ segment: String) throws -> MSALAuthority

    /// The user and their answer to the consent prompt.
    struct Actor: Sendable {
        var person: Person
        var consent: ScriptedPerson.Consent
    }
}
