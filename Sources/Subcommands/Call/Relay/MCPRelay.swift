import Foundation
import JSON
import KeyturnSystem
import MSAL
import OAuthCore

/// Relays between a client on standard input and output and a server over Streamable HTTP (docs/decisions/0047-doors.md). Each
/// message is a request of its own, so that a slow one holds up no other. Only the start of a session is in order.
final class MCPRelay: Sendable {
    /// How long responses that the client still waits for may take after the end of its input.
    static let patience = Duration.seconds(30)
    private static let farewell = Duration.seconds(3)
    /// As many requests, or bytes of them, as are on the way before the relay reads on.
    private static let most = (messages: 256, bytes: 2 * MCPMessage.mostBytes)

    private struct Running {
        let task: Task<Void, Never>
        let requests: Set<JSONValue>
        let bytes: Int
        /// Whether the end of the connection cancels the request (2026-07-28).
        let isCancelledByLeaving: Bool
        let isEndless: Bool
    }

    private struct State {
        var session = MCPSession()
        var generation = 0
        /// With which the client started the session, to start another one.
        var opening: MCPMessage?
        /// Has to end before another message is sent.
        var barrier: Task<Void, Never>?
        var running: [Int: Running] = [:]
        var messages = 0
        var listening: Task<Void, Never>?
        var outputFailure: TextSinkFailure?
    }

    private let connection: MCPConnection
    private let output: any TextSink
    private let turn = Locked(())
    private let state = Locked(State())
    private let reopening = SharedWork<Int, Void>(outlivesCallers: true)
    private let tell: @Sendable (String) -> Void
    /// The failure for an error, with the command that helps.
    private let report: @Sendable (any Error) -> Failure
    private let (broken, breaks) = AsyncStream<Void>.makeStream()
    private let (ends, ended) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(
        _ connection: MCPConnection, output: any TextSink, tell: @escaping @Sendable (String) -> Void,
        report: @escaping @Sendable (any Error) -> Failure
    ) {
        (self.connection, self.output, self.tell, self.report) = (connection, output, tell, report)
    }

    /// Relays until the client's input ends, or its output, or the task is cancelled. Then ends the session.
    func run(_ lines: AsyncStream<LineInput.Line>, count: @escaping @Sendable () -> Void = {}) async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await line in lines {
                    count()
                    self.take(line)
                    await self.makeRoom()
                }
            }
            group.addTask { for await _ in self.broken { break } }
            await group.next()
            group.cancelAll()
        }
        await finish()
        if let failure = state.withLock({ $0.outputFailure }) { throw failure }
    }

    // MARK: The client's messages

    private func take(_ line: LineInput.Line) {
        do throws(MCPMessage.Malformed) {
            switch line {
            case .text(let bytes): start(try MCPMessage(bytes))
            case .tooLong(let start):
                let error = MCPMessage.Malformed.tooLarge
                write(MCPMessage.error(MCPMessage.leadingID(of: start), code: error.code, error.reason))
            }
        } catch {
            write(MCPMessage.error(nil, code: error.code, error.reason))
        }
    }

    private func start(_ message: MCPMessage) {
        let isOrdered = message.methods.contains { $0 == "initialize" || $0 == "notifications/initialized" }
        state.withLock { state in
            state.messages += 1
            let number = state.messages
            let barrier = state.barrier
            let task = Task(executorPreference: ThreadPool.current) { [self] in
                await barrier?.value
                await relay(message)
                _ = self.state.withLock { $0.running.removeValue(forKey: number) }
                ended.yield()
            }
            state.running[number] = Running(
                task: task, requests: message.requests, bytes: message.bytes.count,
                isCancelledByLeaving: message.only?.version.map { $0 >= MCPSession.withoutSessions } ?? false,
                isEndless: message.methods == ["subscriptions/listen"])
            if isOrdered { state.barrier = task }
        }
    }

    private var isFull: Bool {
        let running = state.withLock { $0.running.values.map(\.bytes) }
        return running.count >= Self.most.messages || running.reduce(0, +) >= Self.most.bytes
    }

    /// Waits until any message ends, as the oldest can be endless, or until the relay is cancelled.
    private func makeRoom() async {
        guard isFull else { return }
        for await _ in ends where !isFull { return }
    }

    private func relay(_ message: MCPMessage) async {
        let waiting = Locked(message.requests)
        let unwanted = running(message.only?.cancelled)
        do {
            try Task.checkCancellation()
            if !unwanted.contains(where: \.isCancelledByLeaving) { try await exchange(message, waiting) }
        } catch {
            fail(message, waiting.withLock(\.self), error)
        }
        for running in unwanted { running.task.cancel() }
    }

    /// The exchange of a request that the client no longer wants.
    private func running(_ request: JSONValue?) -> [Running] {
        guard let request else { return [] }
        return state.withLock { $0.running.values.filter { $0.requests == [request] } }
    }

    private func fail(_ message: MCPMessage, _ waiting: Set<JSONValue>, _ error: any Error) {
        // Nobody wants the response of a cancelled exchange.
        guard !Task.isCancelled, state.withLock({ $0.outputFailure }) == nil else { return }
        let failure = report(error)
        let text = failure.sentences
        if message.requests.isEmpty { tell("A message of the client was not sent. \(text)") }
        for id in waiting {
            let servers = (error as? ServersError).flatMap { MCPMessage.error(id, from: $0.body) }
            // Of the range that JSON-RPC leaves to servers.
            write(servers ?? MCPMessage.error(id, code: -32000, text, data: failure.dataOfError))
        }
    }

    // MARK: The server's messages

    private func write(_ line: [UInt8]) {
        var held: [UInt8] = []
        let line = output.isTerminal ? BodyOutput.printable(line, &held) : line
        do {
            try turn.withLock { _ in try output.write(bytes: line) }
        } catch {
            state.withLock { $0.outputFailure = error as? TextSinkFailure ?? TextSinkFailure(code: EPIPE) }
            breaks.yield()
        }
    }

    /// Passes a message of the server on. Returns whether all requests that wait have their responses.
    private func pass(
        _ bytes: [UInt8], _ head: HTTPResponse, of request: MCPMessage?, _ waiting: Locked<Set<JSONValue>>
    ) throws -> Bool {
        let message = try MCPMessage(bytes)
        let isComplete = waiting.withLock { waiting in
            waiting.subtract(message.responses)
            return waiting.isEmpty
        }
        if let request, isComplete, request.methods.contains("initialize"),
            let session = MCPSession(head, result: bytes)
        {
            use(session)
        }
        let isList = request?.methods == ["tools/list"] && isComplete
        let usable = isList ? noteTools(bytes, version: request?.only?.version) : nil
        write(usable.map { Array($0.line.utf8) } ?? message.line)
        return isComplete
    }

    /// Notes the server's tools. Returns the response without those that declare an invalid header, if there are any.
    private func noteTools(_ response: [UInt8], version: String?) -> JSONValue? {
        let (usual, invalid) = state.withLock { ($0.session.version, $0.session.tools.note(response)) }
        guard let invalid, version ?? usual ?? "" >= MCPSession.withoutSessions else { return nil }
        let names = invalid.names.prefix(5).map { String($0.prefix(64)) }.joined(separator: ", ")
        tell("The server's tools with an invalid x-mcp-header are left out: \(names).")
        return invalid.rest
    }

    private func sink(of request: MCPMessage?, _ waiting: Locked<Set<JSONValue>>) -> MCPReception.Sink {
        let hasTold = Locked(false)
        return { [self] head, event throws(TextSinkFailure) in
            guard event.name == "message", !event.data.isEmpty else { return false }
            let isComplete = (try? pass(event.data, head, of: request, waiting))
            if isComplete == nil, !hasTold.withLock({ replace(&$0, with: true) }) {
                tell("The server sent events that aren't JSON-RPC. They were left out.")
            }
            if let failure = state.withLock({ $0.outputFailure }) { throw failure }
            return request != nil && isComplete == true
        }
    }

    // MARK: Exchanges

    private func exchange(
        _ message: MCPMessage, _ waiting: Locked<Set<JSONValue>>, isRepeated: Bool = false
    ) async throws {
        if message.methods.contains("initialize") { begin(message) }
        let (session, generation) = state.withLock { ($0.session, $0.generation) }
        let reception = MCPReception(sink(of: message, waiting))
        guard let (call, response) = try await connection.post(message, session, reception) else {
            return try await resume(reception, session, waiting)
        }
        switch MCPOutcome(response, to: message, hadSession: session.id != nil) {
        case .accepted where waiting.withLock(\.isEmpty): return afterAccepting(message)
        case .accepted: throw MCPFailure.noResponse
        case .stream: return try await resume(reception, session, waiting)
        case .message:
            guard (try? pass(response.body, response, of: message, waiting)) == true else { throw MCPFailure.noMessage }
        case .sessionLost where !isRepeated:
            try await reopen(after: generation)
            try await exchange(message, waiting, isRepeated: true)
        case .failed where !isRepeated && message.isRejectedForHeaders(by: response):
            try await refreshTools(for: message, session)
            try await exchange(message, waiting, isRepeated: true)
        case .perhapsOld where await connection.isOld(): throw MCPFailure.oldTransport
        case .perhapsOld, .sessionLost, .failed: throw ServersError(response, to: call)
        }
    }

    private static let mostAttempts = 5
    private static let mostPages = 20

    /// Continues a stream after its last event, until the responses have come (2025-03-26 and later, resumability).
    private func resume(
        _ reception: MCPReception, _ session: MCPSession, _ waiting: Locked<Set<JSONValue>>
    ) async throws {
        var vain = 0
        while !waiting.withLock(\.isEmpty), !reception.isEnough {
            guard !reception.isTooLarge else { throw MCPFailure.tooLarge }
            guard let id = reception.lastID, vain < Self.mostAttempts else { throw MCPFailure.brokenStream }
            try await sleep(for: reception.pause(afterVain: vain))
            let count = reception.count
            guard try await connection.listen(reception, session, after: id) else { throw MCPFailure.brokenStream }
            vain = reception.count > count ? 0 : vain + 1
        }
    }

    // MARK: The session

    /// A new session begins: what was known of another one is forgotten.
    private func begin(_ message: MCPMessage) {
        state.withLock { state in
            (state.opening, state.session) = (message, MCPSession())
            return state.listening
        }?.cancel()
    }

    private func use(_ session: MCPSession) {
        state.withLock { ($0.session, $0.generation) = (session, $0.generation + 1) }
    }

    private func afterAccepting(_ message: MCPMessage) {
        guard message.methods.contains("notifications/initialized") else { return }
        let session = state.withLock(\.session)
        guard session.mayListen else { return }
        let task = Task(executorPreference: ThreadPool.current) { [self] in await keepListening(to: session) }
        state.withLock { replace(&$0.listening, with: task) }?.cancel()
    }

    /// The server's own stream, again and again until it has none.
    private func keepListening(to session: MCPSession) async {
        let reception = MCPReception(sink(of: nil, Locked([])))
        var vain = 0
        while !Task.isCancelled, !reception.isTooLarge {
            let count = reception.count
            guard (try? await connection.listen(reception, session, after: reception.lastID)) == true else { return }
            vain = reception.count > count ? 0 : vain + 1
            let pause = max(reception.pause(afterVain: vain), vain < Self.mostAttempts ? .zero : .seconds(30))
            guard (try? await sleep(for: pause)) != nil else { return }
        }
    }

    /// Starts another session in place of one that the server has forgotten, once for all messages that find out.
    private func reopen(after generation: Int) async throws {
        try await reopening.value(for: generation) { [self] in
            if state.withLock(\.generation) == generation { try await startAgain() }
        }
    }

    private func startAgain() async throws {
        let (opening, former) = state.withLock { ($0.opening, $0.session) }
        guard let opening, let (head, body) = try await response(to: opening, MCPSession()),
            let session = MCPSession(head, result: body), session.version == former.version
        else { throw MCPFailure.sessionLost }
        use(session)
        let note = try MCPMessage(Array(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.utf8))
        _ = try await connection.post(note, session, MCPReception { _, _ in true })
        tell("The server had ended the session. Keyturn started another one.")
        afterAccepting(note)
    }

    private typealias Received = (head: HTTPResponse, body: [UInt8])

    /// The server's response to a request that the client doesn't wait for; `nil` if it is a failure.
    private func response(to message: MCPMessage, _ session: MCPSession) async throws -> Received? {
        let result = Locked<Received?>(nil)
        let reception = MCPReception { head, event throws(TextSinkFailure) in
            guard let message = try? MCPMessage(event.data), !message.responses.isEmpty else { return false }
            result.withLock { $0 = (head, event.data) }
            return true
        }
        let response = try await connection.post(message, session, reception)?.response
        if let response, !MCPOutcome.isStream(response) { result.withLock { $0 = (response, response.body) } }
        return result.withLock(\.self).flatMap { (200..<300).contains($0.head.status) ? $0 : nil }
    }

    /// Lists the tools again, because the server wants other headers for a call than are known here.
    private func refreshTools(for call: MCPMessage, _ session: MCPSession) async throws {
        var cursor: JSONValue?
        for _ in 0..<Self.mostPages {
            guard let list = try call.listing(after: cursor), let page = try await response(to: list, session)?.body
            else { return }
            _ = noteTools(page, version: call.only?.version)
            cursor = (try? JSONValue(parsing: page))?["result"]?["nextCursor"]
            if cursor?.string == nil { return }
        }
    }

    // MARK: The end

    private func finish() async {
        let isBroken = state.withLock { state in
            for running in state.running.values where running.isEndless { running.task.cancel() }
            return state.outputFailure != nil
        }
        if !isBroken, !Task.isCancelled { _ = await within(Self.patience) { [self] in await whileRunning() } }
        let unanswered = state.withLock { state in
            state.listening?.cancel()
            for running in state.running.values { running.task.cancel() }
            return state.running.values.reduce(0) { $0 + $1.requests.count }
        }
        if unanswered > 0, !Task.isCancelled { tell("Requests without a response at the end: \(unanswered).") }
        // Also if this task is cancelled.
        await Task(executorPreference: ThreadPool.current) { [self] in
            _ = await within(Self.farewell) { [self] in
                await connection.desk.cancel()
                await reopening.cancel()
                await whileRunning()
                await self.state.withLock { $0.listening }?.value
                let session = state.withLock(\.session)
                guard session.id != nil else { return }
                _ = try? await connection.send(.delete, [], session.headers)
            }
        }.value
    }

    /// Waits for all exchanges. Cancels them if this task is cancelled.
    private func whileRunning() async {
        while let task = state.withLock({ $0.running.values.first?.task }) {
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }
}
