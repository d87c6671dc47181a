import Foundation

/// The outside world of the engine. Tests replace parts of it; the `MSAL` module provides those for Linux.
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
    /// The receiver of log messages.
    package var logging: MSALLoggerConfig
    package var telemetry: MSALTelemetryConfig
    /// The world in which sign-ins run, one at a time, or `nil` for this machine.
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

/// The operating system, for logs and telemetry.
package struct SystemDescription: Sendable, Equatable {
    package var name: String
    /// The release of the kernel, if known.
    package var version: String?

    package init(name: String = "Linux", version: String? = nil) {
        self.name = name
        self.version = version
    }
}

/// The clock and timer of the engine.
package protocol TimeSource: Sendable {
    func now() -> Date

    /// Returns after `seconds`, or throws `CancellationError` when the task is cancelled.
    func sleep(seconds: Double) async throws
}

/// The ADAL cache files of an application. They are read on demand and never changed.
package protocol ADALCacheFiles: Sendable {
    /// Returns the contents of the readable files.
    func contents() -> [[UInt8]]
}
