import Foundation
import Locks
import OAuthCore

/// Public documents of authorities: from memory, else from what is kept between runs, else from the network.
///
/// One object serves one application, so that a second request of a process asks nothing again.
package final class MetadataSource: Sendable {
    /// A day, whatever the authority allows: endpoints hardly change, and what turns out to be stale is fetched at once.
    package static let maximumAge: TimeInterval = 24 * 60 * 60

    private let dependencies: Dependencies
    private let memory = Locked<[URL: CachedDocument]>([:])
    private let environments = Locked<[Authority: ResolvedAuthority.Environments]>([:])
    /// What the store told ``keptDocument(_:parse:)``, which cannot pass it on: damage is told once only.
    private let unheard = Locked<CredentialStoreFailure?>(nil)

    package init(dependencies: Dependencies) {
        self.dependencies = dependencies
    }

    /// A document, and whether it is one that was kept: then the authority may have another by now.
    package struct Found<Value> {
        package var value: Value
        package var isKept: Bool
    }

    /// A document that `parse` accepts. A kept one serves for ``maximumAge``, or for as long as the authority allows where
    /// that is less. With `isAgeless` it serves at any age. A kept one that `parse` refuses is fetched anew.
    package func document<Value>(
        _ url: URL, isAgeless: Bool = false, by transport: any HTTPTransport, parse: ([UInt8]) throws -> Value
    ) async throws -> Found<Value> {
        if let kept = try kept(url), isAgeless || isFresh(kept), let value = try? parse(kept.body) {
            return Found(value: value, isKept: true)
        }
        return Found(value: try await fetched(url, by: transport, parse: parse), isKept: false)
    }

    /// A document as the authority has it now. It replaces what is kept.
    package func fetched<Value>(
        _ url: URL, by transport: any HTTPTransport, parse: ([UInt8]) throws -> Value
    ) async throws -> Value {
        let response: HTTPResponse
        do throws(TransportFailure) {
            response = try await transport.send(HTTPRequest(.get, url, headers: ["Accept": "application/json"]))
        } catch {
            throw error.kind == .cancelled
                ? AuthenticationFailure.user(.canceled) : .network(error, host: Authority.environment(of: url))
        }
        guard response.status == 200 else {
            throw MetadataStatus(response: response, receivedAt: dependencies.time.now())
        }
        let value = try parse(response.body)
        try keep(response, url)
        return value
    }

    /// A kept document of any age, without asking anyone. What the store says against it, the next request hears.
    package func keptDocument<Value>(_ url: URL, parse: ([UInt8]) throws -> Value) -> Value? {
        do throws(CredentialStoreFailure) {
            guard let document = try stored(url) else { return nil }
            return try? parse(document.body)
        } catch {
            unheard.withLock { $0 = error }
            return nil
        }
    }

    /// The names of an authority: found once, because nothing that is kept makes them others. A failure is not kept.
    /// `anew`: they are found again.
    func environments(
        of authority: Authority, anew: Bool, find: () async throws -> ResolvedAuthority.Environments
    ) async throws -> ResolvedAuthority.Environments {
        if !anew, let known = environments.withLock({ $0[authority] }) { return known }
        let found = try await find()
        environments.withLock { $0[authority] = found }
        return found
    }

    private func kept(_ url: URL) throws -> CachedDocument? {
        do throws(CredentialStoreFailure) {
            let failure = unheard.withLock { failure in
                defer { failure = nil }
                return failure
            }
            if let failure { throw failure }
            return try stored(url)
        } catch {
            throw AuthenticationFailure.store(error)
        }
    }

    private func stored(_ url: URL) throws(CredentialStoreFailure) -> CachedDocument? {
        if let document = memory.withLock({ $0[url] }) { return document }
        let loaded: CachedDocument?
        do throws(CredentialStoreFailure) {
            loaded = try dependencies.documents.load(url)
        } catch  where error.kind == .foundDamaged {
            // Whoever only looks reads the tokens too, and is told there.
            return nil
        }
        guard let document = loaded else { return nil }
        memory.withLock { $0[url] = document }
        return document
    }

    /// One from the future means that a clock was set back: its age says nothing.
    private func isFresh(_ document: CachedDocument) -> Bool {
        let age = dependencies.time.now().timeIntervalSince(document.fetchedAt)
        return age >= 0 && age <= Self.maximumAge && age < document.lifetime ?? .infinity
    }

    private func keep(_ response: HTTPResponse, _ url: URL) throws {
        var document: CachedDocument? = CachedDocument(body: response.body, fetchedAt: dependencies.time.now())
        switch response.cacheLifetime {
        case .notStored:
            // Most often there is none to remove, and then nothing is written.
            if keptDocument(url, parse: { $0 }) == nil { return }
            document = nil
        case .seconds(let seconds): document?.lifetime = seconds
        case .unstated: break
        }
        memory.withLock { $0[url] = document }
        do throws(CredentialStoreFailure) {
            try dependencies.documents.save(document, for: url)
        } catch {
            guard error.isLasting else { throw AuthenticationFailure.store(error) }
        }
    }
}

extension CredentialStoreFailure {
    /// Whether the next use of the store tells the same. Then a document that cannot be kept is just fetched again.
    fileprivate var isLasting: Bool {
        switch kind {
        case .setAside, .damagedRecords: false
        case .foundDamaged, .notAsLeft, .unsafePermissions, .keyUnavailable, .busy, .io: true
        }
    }
}

/// An authority answered a request for a document with something other than 200.
struct MetadataStatus: Error {
    var response: HTTPResponse
    var receivedAt: Date
}
