import KeyturnSystem
import LoopbackHTTP
import MSAL

/// The body of a request that can be sent again while little of it has been read.
final class RelayedBody: Sendable {
    /// What is remembered of it.
    private static let most = 64 << 10

    private struct State {
        var read: [UInt8] = []
        var isRepeatable = true
    }

    private let body: RequestBody
    private let state = Locked(State())

    init(_ body: RequestBody) { self.body = body }

    var isRepeatable: Bool { state.withLock { $0.isRepeatable } }

    /// A request without a body, but with a method that may have one.
    static let empty = CurlTransport.BodySource(length: 0) { _ in 0 }

    /// The body from its beginning. Only one source is read at a time.
    var source: CurlTransport.BodySource {
        let position = Locked(0)
        return CurlTransport.BodySource(length: body.length) { [self] room in
            position.withLock { position in
                let count = read(from: position, into: limited(room, at: position))
                if count > 0 { position += count }
                return count
            }
        }
    }

    /// No more room than for the announced length: what follows would be another request.
    private func limited(_ room: UnsafeMutableRawBufferPointer, at position: Int) -> UnsafeMutableRawBufferPointer {
        let left = body.length.map { max(0, Int($0) - position) } ?? room.count
        return UnsafeMutableRawBufferPointer(rebasing: room.prefix(left))
    }

    private func read(from position: Int, into room: UnsafeMutableRawBufferPointer) -> Int {
        guard !room.isEmpty else { return 0 }
        let again = state.withLock { $0.read.dropFirst(position) }
        guard again.isEmpty else {
            room.copyBytes(from: again.prefix(room.count))
            return min(again.count, room.count)
        }
        let count = body.read(into: room)
        if count > 0 { remember(room.prefix(count)) }
        // Less than announced.
        return count == 0 && body.length != nil ? -1 : count
    }

    private func remember(_ piece: Slice<UnsafeMutableRawBufferPointer>) {
        state.withLock { state in
            guard state.isRepeatable, state.read.count + piece.count <= Self.most else {
                state = State(read: [], isRepeatable: false)
                return
            }
            state.read += piece
        }
    }
}
