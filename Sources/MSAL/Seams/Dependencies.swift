import Foundation
import KeyturnCrypto
import KeyturnSystem
import OAuthCore

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
    package var logging: MSALLoggerConfig
    package var telemetry: MSALTelemetryConfig
    /// The world in which sign-ins run, one at a time, or `nil` for this machine.
    package var world: ObjectIdentifier?

    package init(
        time: any TimeSource, random: any RandomBytes, transport: any HTTPTransport, browser: any BrowserLauncher,
        receiver: any RedirectReceiver, broker: any Broker, credentials: any CredentialStore,
        documents: any DocumentCache, notices: any WebAuthNotices, proofKeys: any ProofKeyStore,
        adalFiles: any ADALCacheFiles, system: SystemDescription, logging: MSALLoggerConfig,
        telemetry: MSALTelemetryConfig, world: ObjectIdentifier? = nil
    ) {
        (self.time, self.random, self.transport, self.browser) = (time, random, transport, browser)
        (self.receiver, self.broker, self.credentials, self.documents) = (receiver, broker, credentials, documents)
        (self.notices, self.proofKeys, self.adalFiles) = (notices, proofKeys, adalFiles)
        (self.system, self.logging, self.telemetry) = (system, logging, telemetry)
        self.world = world
    }
}

extension Dependencies {
    /// Runs the part of a flow that redeems a code or token, or registers a client, from the request to saving its result.
    /// Its result can't be had again, so cancellation doesn't reach it for ``OneTimeWork/grace`` seconds, unless the request
    /// hasn't left yet.
    func finishing<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        do {
            return try await OneTimeWork.run(sleep: time.sleep, work)
        } catch is OneTimeWork.Abandoned {
            throw AuthenticationFailure.user(.canceledWithoutResponse)
        }
    }

    /// Throws if another user's process would serve a page that the user is to open.
    func checkServer(of page: URL) throws(AuthenticationFailure) {
        do { try browser.checkServer(of: page) } catch { throw .network(error, host: page.hostAndPort) }
    }
}

/// The operating system, for logs and telemetry.
package struct SystemDescription: Sendable, Equatable {
    package var name: String
    /// The release of the kernel, if known.
    package var version: String?

    package init(name: String = "Linux", version: String? = nil) {
        (self.name, self.version) = (name, version)
    }
}

package protocol TimeSource: Sendable {
    func now() -> Date

    /// Returns after `seconds`, or throws `CancellationError` when the task is cancelled.
    func sleep(seconds: Double) async throws

    /// Returns at the limit of other work, which usually ends first and cancels this.
    func sleep(untilLimit end: Date) async throws
}

extension TimeSource {
    package func sleep(untilLimit end: Date) async throws {
        try await sleep(seconds: max(0, end.timeIntervalSince(now())))
    }
}

/// The ADAL cache files of an application. They are read on demand and never changed.
package protocol ADALCacheFiles: Sendable {
    func contents() -> [[UInt8]]
}

/// Stores the key that access tokens are bound to (RFC 7800), one for all applications of a cache.
package protocol ProofKeyStore: Sendable {
    /// Returns the RSA key of 2048 bits, creating it on first use.
    func key() throws(ProofKeyFailure) -> PrivateKey
}

/// The source of randomness for `state`, `nonce` and the PKCE verifier.
package protocol RandomBytes: Sendable {
    func bytes(_ count: Int) -> [UInt8]
}

extension RandomBytes {
    /// A random UUID (RFC 9562 §5.4).
    package func uuid() -> UUID {
        var b = bytes(16)
        b[6] = b[6] & 0x0F | 0x40
        b[8] = b[8] & 0x3F | 0x80
        return UUID(
            uuid: (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15])
        )
    }
}

/// Sends a request and returns the response, whatever its status. Doesn't follow redirects.
///
/// Sends a request that redeems a code or token (``HTTPRequest/isSpending``) at most once. Cancelling the task throws
/// ``TransportFailure/Kind/cancelled``.
package protocol HTTPTransport: Sendable {
    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse
}

/// Stores public documents of authorities (discovery, keys) with the time of their retrieval.
///
/// They decide where refresh tokens are sent, so they need the same protection as tokens (docs/decisions/0029).
package protocol DocumentCache: Sendable {
    func load(_ url: URL) throws(CredentialStoreFailure) -> CachedDocument?

    /// `nil` removes the document.
    func save(_ document: CachedDocument?, for url: URL) throws(CredentialStoreFailure)

    func urls(beginning start: String) throws(CredentialStoreFailure) -> [URL]
}

package struct CachedDocument: Sendable, Equatable {
    package var body: [UInt8]
    package var fetchedAt: Date
    /// The lifetime that the authority allows, in seconds, or `nil` if it states none.
    package var lifetime: Double?
}

/// The identity broker of the user's session, which gets tokens for an organisation's accounts.
package protocol Broker: Sendable {
    /// Returns whether a broker is available. Queries only the bus, not the broker, and returns quickly.
    func presence() -> BrokerPresence

    /// Sends a request and returns the text of the response.
    ///
    /// `limit` is in seconds; `nil` waits for the user without limit. Cancelling the task throws
    /// ``BrokerFailure/Kind/cancelled`` and sends `whenCancelled` to the broker, with only a short wait for its
    /// response.
    func response(
        to request: BrokerRequest, correlationID: UUID, within limit: Double?, whenCancelled: BrokerRequest?
    ) async throws(BrokerFailure) -> Secret
}

package enum BrokerPresence: Sendable, Equatable {
    case running
    /// The bus starts the broker when it is called.
    case startable
    /// With the reason, a sentence.
    case absent(String)

    package var isThere: Bool { if case .absent = self { false } else { true } }
}
