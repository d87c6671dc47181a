import Tasks

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

    /// Whether the authority's discovery document names a device authorization endpoint (RFC 8628 §4). Sends a request
    /// only when no document from the last day is kept, and throws as a sign-in would. An addition of this library.
    public nonisolated(nonsending) func offersDeviceCode() async throws -> Bool {
        do {
            return try await ThreadPool.runBlocking { [self] in
                try await resolver.resolve(settings.authority).configuration.deviceAuthorizationEndpoint != nil
            }
        } catch {
            throw MSALAuthenticationError(translating: error, correlationID: nil)
        }
    }

    /// The same by the document that is kept, of any age; `nil` when none is. Sends no request. An addition of this
    /// library.
    public var keptDeviceCodeOffer: Bool? {
        resolver.keptConfiguration(of: settings.authority).map { $0.deviceAuthorizationEndpoint != nil }
    }

    var resolver: AuthorityResolver {
        AuthorityResolver(
            metadata: metadata, transport: dependencies.transport,
            reporter: FlowReporter(time: dependencies.time, handler: nil, log: log()),
            knownAuthorities: settings.knownAuthorities)
    }
}
