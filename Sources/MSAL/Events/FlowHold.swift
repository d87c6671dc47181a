import Foundation
import KeyturnSystem
import OAuthCore

/// Holds each request of a flow until the program releases it, perhaps changed.
///
/// After the first change the flow saves nothing and returns no token: what it learns is not what the authority says to this client.
final class FlowHold: Sendable {
    typealias Handler = @Sendable (MSALHeldRequest) async throws -> [MSALRequestEdit]

    private let recorder: ExchangeRecorder
    private let log: EngineLog
    private let handler: Handler
    private let changed = Locked(false)

    init(recorder: ExchangeRecorder, log: EngineLog, handler: @escaping Handler) {
        (self.recorder, self.log, self.handler) = (recorder, log, handler)
    }

    var isChanged: Bool { changed.withLock(\.self) }

    /// Throws after a change: the tokens aren't for the caller, and aren't saved.
    func checkUnchanged() throws(AuthenticationFailure) {
        if isChanged { throw .user(.requestChanged) }
    }

    /// Returns what to send, in order, once the program releases the request. Throws if it doesn't.
    func release(
        _ request: HTTPRequest, as direction: MSALFlowExchange.Direction, until expiresOn: Date? = nil
    ) async throws -> [HTTPRequest] {
        let exchange = recorder.preview(request, as: direction)
        var problem: String?
        while true {
            let held = MSALHeldRequest(
                exchange: exchange, isEditable: request.editable != nil, expiresOn: expiresOn, problem: problem)
            let edits = try await handler(held)
            problem = request.problem(of: edits)
            guard problem == nil else { continue }
            if !edits.isEmpty {
                changed.withLock { $0 = true }
                recorder.withhold()
                log.info("The user changed this request: \(list: edits.map(\.summary))")
            }
            return Array(repeating: request.applying(edits), count: edits.contains(.sendAgain) ? 2 : 1)
        }
    }

    func holding(_ transport: any HTTPTransport, as direction: MSALFlowExchange.Direction) -> any HTTPTransport {
        HoldingTransport(transport: transport, hold: self, direction: direction)
    }

    func protecting(_ dependencies: Dependencies) -> Dependencies {
        var dependencies = dependencies
        dependencies.credentials = ProtectedCredentials(store: dependencies.credentials, hold: self)
        dependencies.documents = ProtectedDocuments(documents: dependencies.documents, hold: self)
        return dependencies
    }
}

extension HTTPRequest {
    fileprivate func problem(of edits: [MSALRequestEdit]) -> String? {
        guard !edits.isEmpty else { return nil }
        guard var parameters = editable else { return "This request has no parameters to change." }
        for edit in edits {
            if let problem = edit.problem(in: parameters) { return problem }
            parameters = applying([edit]).editable ?? parameters
        }
        return nil
    }
}

/// Holds requests above the recorder, which records what is really sent, and below retries, each of which is held.
private struct HoldingTransport: HTTPTransport {
    let transport: any HTTPTransport
    let hold: FlowHold
    let direction: MSALFlowExchange.Direction

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let released: [HTTPRequest]
        do { released = try await releasing(request) } catch { throw TransportFailure(.cancelled, reason: "cancelled") }
        for earlier in released.dropLast() { _ = try await transport.send(earlier) }
        return try await transport.send(released.last ?? request)
    }

    /// The request hasn't left, so a cancelled caller gets it back at once, even where work must be finished.
    private func releasing(_ request: HTTPRequest) async throws -> [HTTPRequest] {
        guard let work = OneTimeWork.current else { return try await hold.release(request, as: direction) }
        let (withdrawal, withdraw) = AsyncStream.makeStream(of: Never.self)
        return try await work.send(withdraw: { withdraw.finish() }) {
            await released(request, unless: withdrawal)
        }.get()
    }

    private func released(
        _ request: HTTPRequest, unless withdrawal: AsyncStream<Never>
    ) async -> Result<[HTTPRequest], any Error> {
        await withTaskGroup(of: Result<[HTTPRequest], any Error>.self) { group in
            group.addTask { await release(request) }
            group.addTask {
                for await _ in withdrawal {}
                return .failure(CancellationError())
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(CancellationError())
        }
    }

    private func release(_ request: HTTPRequest) async -> Result<[HTTPRequest], any Error> {
        do { return .success(try await hold.release(request, as: direction)) } catch { return .failure(error) }
    }
}

/// The token cache and the documents, which a changed flow can only read.
private struct ProtectedCredentials: CredentialStore {
    let store: any CredentialStore
    let hold: FlowHold

    func records(matching query: CredentialQuery) throws(CredentialStoreFailure) -> [CredentialRecord] {
        try store.records(matching: query)
    }

    func digests<Digest>(in form: DigestForm<Digest>) throws(CredentialStoreFailure) -> CredentialDigests<Digest> {
        try store.digests(in: form)
    }

    func update(
        matching query: CredentialQuery, _ decide: ([CredentialRecord]) -> [CredentialChange]
    ) throws(CredentialStoreFailure) {
        guard !hold.isChanged else { return }
        try store.update(matching: query, decide)
    }

    func lease(_ key: CredentialKey) throws(CredentialStoreFailure) -> (any CredentialLease)? { try store.lease(key) }
    func leaseHolder(_ key: CredentialKey) -> TurnHolder? { store.leaseHolder(key) }
    func reserveRoom() throws(CredentialStoreFailure) -> (any CredentialLease)? { try store.reserveRoom() }
    func stamp() -> CredentialStamp? { store.stamp() }
    func protection() throws(CredentialStoreFailure) -> MSALCacheProtection { try store.protection() }
    func deleteSetAside() throws(CredentialStoreFailure) -> DeletedDamage { try store.deleteSetAside() }
}

private struct ProtectedDocuments: DocumentCache {
    let documents: any DocumentCache
    let hold: FlowHold

    func load(_ url: URL) throws(CredentialStoreFailure) -> CachedDocument? { try documents.load(url) }

    func save(_ document: CachedDocument?, for url: URL) throws(CredentialStoreFailure) {
        guard !hold.isChanged else { return }
        try documents.save(document, for: url)
    }

    func urls(beginning start: String) throws(CredentialStoreFailure) -> [URL] { try documents.urls(beginning: start) }
}
