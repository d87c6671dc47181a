import Foundation
import Locks
import OAuthCore

/// Public documents of authorities: from memory, else from the disk, else from the network.
///
/// One object serves one application, so that a second request of a process asks nothing again.
package final class MetadataSource: Sendable {
    /// A day: endpoints hardly change, and a key that is missing is asked for at once.
    package static let maximumAge: TimeInterval = 24 * 60 * 60

    private let dependencies: Dependencies
    private let memory = Locked<[URL: CachedDocument]>([:])
    private let environments = Locked<[Authority: ResolvedAuthority.Environments]>([:])

    package init(dependencies: Dependencies) {
        self.dependencies = dependencies
    }

    /// A document that `parse` accepts, no older than `maximumAge`. A kept one that `parse` refuses is fetched anew.
    package func document<Value>(
        _ url: URL, maximumAge: TimeInterval = MetadataSource.maximumAge, by transport: any HTTPTransport,
        parse: ([UInt8]) throws -> Value
    ) async throws -> Value {
        if let kept = kept(url), isFresh(kept, maximumAge), let value = try? parse(kept.body) { return value }
        return try await fetched(url, by: transport, parse: parse)
    }

    /// A document as the authority has it now.
    package func fetched<Value>(
        _ url: URL, by transport: any HTTPTransport, parse: ([UInt8]) throws -> Value
    ) async throws -> Value {
        let response: HTTPResponse
        do throws(TransportFailure) {
            response = try await transport.send(HTTPRequest(.get, url, headers: ["Accept": "application/json"]))
        } catch {
            throw error.kind == .cancelled
                ? AuthenticationFailure.canceled : .network(error, host: Authority.environment(of: url))
        }
        guard response.status == 200 else { throw MetadataStatus(response: response) }
        let value = try parse(response.body)
        keep(CachedDocument(body: response.body, fetchedAt: dependencies.time.now()), url)
        return value
    }

    /// A kept document of any age, without asking anyone.
    package func keptDocument<Value>(_ url: URL, parse: ([UInt8]) throws -> Value) -> Value? {
        kept(url).flatMap { try? parse($0.body) }
    }

    /// The names of an authority: found once, because nothing that is kept makes them others. A failure is not kept.
    func environments(
        of authority: Authority, find: () async throws -> ResolvedAuthority.Environments
    ) async throws -> ResolvedAuthority.Environments {
        if let known = environments.withLock({ $0[authority] }) { return known }
        let found = try await find()
        environments.withLock { $0[authority] = found }
        return found
    }

    private func kept(_ url: URL) -> CachedDocument? {
        if let document = memory.withLock({ $0[url] }) { return document }
        guard let document = dependencies.documents.load(url) else { return nil }
        memory.withLock { $0[url] = document }
        return document
    }

    /// One from the future means that a clock was set back: its age says nothing.
    private func isFresh(_ document: CachedDocument, _ maximumAge: TimeInterval) -> Bool {
        let age = dependencies.time.now().timeIntervalSince(document.fetchedAt)
        return age >= 0 && age <= maximumAge
    }

    private func keep(_ document: CachedDocument, _ url: URL) {
        memory.withLock { $0[url] = document }
        dependencies.documents.save(document, for: url)
    }
}

/// An authority answered a request for a document with something other than 200.
struct MetadataStatus: Error {
    var response: HTTPResponse
}
