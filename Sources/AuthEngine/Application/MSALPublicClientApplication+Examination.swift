extension MSALPublicClientApplication {
    /// Asks the application's authority what a sign-in would ask first: whether it can be reached, who it says it is, its
    /// keys, its clock. Nothing is taken from what is kept, and nobody signs in. Who does not want to wait cancels the
    /// task. An addition of this library.
    ///
    /// - Parameter replacesKept: whether the documents that come replace those that the cache keeps. Without it, the cache
    ///   is not touched: for a configuration that is only being tried.
    public nonisolated(nonsending) func probeAuthority(replacesKept: Bool = true) async -> MSALAuthorityProbe {
        var once = dependencies
        once.transport = plainTransport
        if !replacesKept { once.documents = NoDocuments() }
        return await AuthorityProbing(
            authority: settings.authority, knownAuthorities: settings.knownAuthorities, dependencies: once,
            metadata: replacesKept ? metadata : MetadataSource(dependencies: once), log: log()
        ).run()
    }
}
