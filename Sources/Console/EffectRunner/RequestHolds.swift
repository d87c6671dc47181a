import KeyturnSystem
import MSAL

/// The requests that flows hold until the user releases them.
package final class RequestHolds: Sendable {
    package typealias Handler = @Sendable (MSALHeldRequest) async throws -> [MSALRequestEdit]

    /// What the flows that the current task starts do with their requests. A value of its own: optimized, the runtime's task
    /// locals crash with a bare function.
    package struct Hold: Sendable {
        let handler: Handler
        /// Hears of the exchanges of a command's flows.
        let exchanges: (@Sendable (MSALFlowExchange) -> Void)?

        package init(_ handler: @escaping Handler, exchanges: (@Sendable (MSALFlowExchange) -> Void)? = nil) {
            (self.handler, self.exchanges) = (handler, exchanges)
        }
    }

    @TaskLocal package static var hold: Hold?

    /// Holds each request; nil to send them at once.
    package static var handler: Handler? { hold?.handler }
    package static var exchanges: (@Sendable (MSALFlowExchange) -> Void)? { hold?.exchanges }

    private struct Waiting {
        var ticket: Int
        var release: AsyncStream<[MSALRequestEdit]>.Continuation
    }

    private struct State {
        var waiting: [EffectID: [Waiting]] = [:]
        var tickets = 0
    }

    private let state = Locked(State())

    func handler(_ tell: @escaping @Sendable (Progress) -> Void, of id: EffectID) -> Handler {
        { [self] request in
            let (releases, release) = AsyncStream.makeStream(of: [MSALRequestEdit].self)
            // Told in the same order, so that each release is the right one's.
            let ticket = state.withLock { state in
                state.tickets += 1
                state.waiting[id, default: []].append(Waiting(ticket: state.tickets, release: release))
                tell(.held(request))
                return state.tickets
            }
            defer { state.withLock { $0.waiting[id]?.removeAll { $0.ticket == ticket } } }
            for await edits in releases { return edits }
            throw CancellationError()
        }
    }

    func release(_ id: EffectID, _ edits: [MSALRequestEdit]) {
        let first = state.withLock { $0.waiting[id]?.isEmpty == false ? $0.waiting[id]?.removeFirst() : nil }
        first?.release.yield(edits)
    }
}
