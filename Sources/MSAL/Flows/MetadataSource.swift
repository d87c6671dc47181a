import Foundation
import KeyturnSystem
import OAuthCore

/// Public documents of authorities from memory, the document cache or the network. One object per application, so that later
/// requests fetch nothing again.
package final class MetadataSource: Sendable {
    /// One day, even if the authority allows more. A stale document that causes an error is fetched again at once.
    package static let maximumAge: TimeInterval = 24 * 60 * 60

    private let dependencies: Dependencies
    private let memory = Locked<[URL: CachedDocument]>([:])
    private let environments = Locked<[Authority: ResolvedAuthority.Environments]>([:])
    private let deviceCodeOffers = Locked<[Authority: Bool]>([:])
    /// The error that ``cachedDocument(_:parse:)`` hid. The next request throws it, because the store reports damage only
    /// once.
    private let unheard = Locked<CredentialStoreFailure?>(nil)

    package init(dependencies: Dependencies) { self.dependencies = dependencies }

    package struct Found<Value> {
        package var value: Value
        /// And may be outdated.
        package var isCached: Bool
    }

    /// Returns a document that `parse` accepts. A cached one is valid for ``maximumAge`` or the authority's shorter
    /// lifetime, and with `isAgeless` at any age. One that `parse` rejects is fetched again.
    package func document<Value>(
        _ url: URL, isAgeless: Bool = false, by transport: any HTTPTransport, parse: ([UInt8]) throws -> Value
    ) async throws -> Found<Value> {
        if let cached = try cached(url), isAgeless || isFresh(cached), let value = try? parse(cached.body) {
            return Found(value: value, isCached: true)
        }
        return Found(value: try await fetched(url, by: transport, parse: parse), isCached: false)
    }

    package func fetched<Value>(
        _ url: URL, by transport: any HTTPTransport, parse: ([UInt8]) throws -> Value
    ) async throws -> Value {
        let response: HTTPResponse
        do { response = try await transport.send(.metadata(at: url)) } catch {
            throw AuthenticationFailure(error, host: url.hostAndPort)
        }
        guard response.status == 200 else {
            throw MetadataStatus(response: response, receivedAt: dependencies.time.now())
        }
        let value = try parse(response.body)
        try save(response, url)
        return value
    }

    /// Returns a cached document of any age. Sends no request. An error of the store is thrown by the next request.
    package func cachedDocument<Value>(_ url: URL, parse: ([UInt8]) throws -> Value) -> Value? {
        do throws(CredentialStoreFailure) {
            guard let document = try stored(url) else { return nil }
            return try? parse(document.body)
        } catch {
            unheard.withLock { $0 = error }
            return nil
        }
    }

    func cachedConfiguration(of authority: Authority, networkEnvironment: String?) -> OpenIDConfiguration? {
        if let endpoints = authority.oauthServer?.endpoints { return OpenIDConfiguration(endpoints, at: authority.url) }
        let places =
            [authority.metadataURL(networkEnvironment: networkEnvironment)]
            + (authority.speaksEntra ? [] : authority.authorizationServerMetadataURLs)
        for place in places {
            let cached = cachedDocument(place) { try OpenIDConfiguration(parsing: $0, requiresKeys: false) }
            if let cached { return cached }
        }
        return nil
    }

    /// Returns the aliases of an authority, which are looked up once, or again with `anew`. Failures aren't remembered.
    func environments(
        of authority: Authority, anew: Bool, find: () async throws -> ResolvedAuthority.Environments
    ) async throws -> ResolvedAuthority.Environments {
        if !anew, let known = environments.withLock({ $0[authority] }) { return known }
        let found = try await find()
        environments.withLock { $0[authority] = found }
        return found
    }

    /// Remembers whether an authority supports device codes, also if its discovery document must not be stored.
    func note(offersDeviceCode isOffered: Bool, of authority: Authority) {
        deviceCodeOffers.withLock { $0[authority] = isOffered }
    }

    func notedDeviceCodeOffer(of authority: Authority) -> Bool? { deviceCodeOffers.withLock { $0[authority] } }

    private func cached(_ url: URL) throws -> CachedDocument? {
        if let failure = unheard.withLock({ replace(&$0, with: nil) }) { throw AuthenticationFailure.store(failure) }
        return try AuthenticationFailure.ofStore(try stored(url))
    }

    private func stored(_ url: URL) throws(CredentialStoreFailure) -> CachedDocument? {
        if let document = memory.withLock({ $0[url] }) { return document }
        do throws(CredentialStoreFailure) {
            guard let document = try dependencies.documents.load(url) else { return nil }
            memory.withLock { $0[url] = document }
            return document
        } catch  where error.kind == .foundDamaged {
            // A read-only store reports the damage when it reads the tokens.
            return nil
        }
    }

    /// A document from the future means that the clock was set back, so its age is unknown.
    private func isFresh(_ document: CachedDocument) -> Bool {
        let age = dependencies.time.now().timeIntervalSince(document.fetchedAt)
        return age >= 0 && age <= Self.maximumAge && age < document.lifetime ?? .infinity
    }

    private func save(_ response: HTTPResponse, _ url: URL) throws {
        var document: CachedDocument? = CachedDocument(body: response.body, fetchedAt: dependencies.time.now())
        switch response.cacheLifetime {
        case .notStored:
            // Write only if there is a document to remove.
            if cachedDocument(url, parse: { $0 }) == nil { return }
            document = nil
        case .seconds(let seconds): document?.lifetime = seconds
        case .unstated: break
        }
        memory.withLock { $0[url] = document }
        do { try dependencies.documents.save(document, for: url) } catch {
            // Otherwise the next use fails in the same way: the document is simply fetched again.
            if error.mendsItself { throw AuthenticationFailure.store(error) }
        }
    }
}

/// A status other than 200.
struct MetadataStatus: Error {
    var response: HTTPResponse
    var receivedAt: Date
}
