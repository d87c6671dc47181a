import Foundation

/// Everything of the outside world that the engine uses. A test replaces any of it; the `MSAL` module fills in Linux.
package struct Dependencies: Sendable {
    package var time: any TimeSource
    package var random: any RandomBytes
    package var transport: any HTTPTransport
    package var browser: any BrowserLauncher
    package var receiver: any RedirectReceiver
    package var broker: any Broker
    package var credentials: any CredentialStore
    package var documents: any DocumentCache
    package var notices: any WebAuthNotices
    package var proofKeys: any ProofKeyStore
    package var adalFiles: any ADALCacheFiles
    package var system: SystemDescription
    /// Whom the engine's log and telemetry are for.
    package var logging: MSALLoggerConfig
    package var telemetry: MSALTelemetryConfig
    /// The world that a sign-in's browser and user belong to; `nil`: this machine. One sign-in runs in it at a time.
    package var world: ObjectIdentifier?

    package init(
        time: any TimeSource, random: any RandomBytes, transport: any HTTPTransport, browser: any BrowserLauncher,
        receiver: any RedirectReceiver, broker: any Broker, credentials: any CredentialStore,
        documents: any DocumentCache,
        notices: any WebAuthNotices, proofKeys: any ProofKeyStore, adalFiles: any ADALCacheFiles,
        system: SystemDescription, logging: MSALLoggerConfig, telemetry: MSALTelemetryConfig,
        world: ObjectIdentifier? = nil
    ) {
        self.time = time
        self.random = random
        self.transport = transport
        self.browser = browser
        self.receiver = receiver
        self.broker = broker
        self.credentials = credentials
        self.documents = documents
        self.notices = notices
        self.proofKeys = proofKeys
        self.adalFiles = adalFiles
        self.system = system
        self.logging = logging
        self.telemetry = telemetry
        self.world = world
    }
}

/// What this machine is, for those who read an authority's logs or ours.
package struct SystemDescription: Sendable, Equatable {
    package var name: String
    /// The release of the kernel, when known.
    package var version: String?

    package init(name: String = "Linux", version: String? = nil) {
        self.name = name
        self.version = version
    }
}

/// Where the engine gets the time, and where it waits.
package protocol TimeSource: Sendable {
    func now() -> Date

    /// Returns after `seconds`, or throws `CancellationError` when the task is cancelled.
    func sleep(seconds: Double) async throws
}

/// The files of ADAL's caches that an application was told of. They are read when needed, and never written.
package protocol ADALCacheFiles: Sendable {
    /// Those that can be read.
    func contents() -> [[UInt8]]
}
