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

    /// The body from its beginning. Only one source is read at a time.
    var source: CurlTransport.BodySource {
        let position = Locked(0)
        return CurlTransport.BodySource(length: body.length) { [self] room in
            position.withLock { position in
                let again = state.withLock { $0.read.dropFirst(position) }
                guard again.isEmpty else {
                    let count = min(again.count, room.count)
                    room.copyBytes(from: again.prefix(count))
                    position += count
                    return count
                }
                let count = body.read(into: room)
                if count > 0 {
                    position += count
                    remember(room.prefix(count))
                }
                return count
            }
        }
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
