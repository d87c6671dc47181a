import AuthEngine

/// A scenario that can be walked through: its applications, and what is shown of them.
package struct OpenedScenario: Sendable {
    /// The applications that share the cache, by their place.
    package var application: @Sendable (Int) throws -> MSALPublicClientApplication
    /// The authority of the same kind whose address has this path.
    package var authority: @Sendable (_ segment: String) throws -> MSALAuthority
    package var profile: ProgramProfile

    package init(
        profile: ProgramProfile, application: @escaping @Sendable (Int) throws -> MSALPublicClientApplication,
        authority: @escaping @Sendable (_ segment: String) throws -> MSALAuthority
    ) {
        self.profile = profile
        self.application = application
        self.authority = authority
    }
}
