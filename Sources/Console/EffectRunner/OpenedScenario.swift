import AuthEngine

/// An open scenario: its applications and its profile.
package struct OpenedScenario: Sendable {
    /// The applications that share the cache, by index.
    package var application: @Sendable (Int) throws -> MSALPublicClientApplication
    /// The authority of the same kind with this path.
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
