extension MSALPublicClientApplication {
    /// Asks the application's authority what a sign-in would ask first: whether it can be reached, who it says it is, its
    /// keys, its clock. Nothing is taken from what is kept, and nobody signs in. Who does not want to wait cancels the
    /// task. An addition of this library.
    public nonisolated(nonsending) func probeAuthority() async -> MSALAuthorityProbe {
        var once = dependencies
        once.transport = plainTransport
        return await AuthorityProbing(
            authority: settings.authority, knownAuthorities: settings.knownAuthorities, dependencies: once, log: log()
        ).run()
    }
}
