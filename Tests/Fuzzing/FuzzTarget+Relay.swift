import JSON
import Subcommands

extension FuzzTarget {
    /// A message between an agent and a server: what goes out is one line with the same meaning.
    static let agentMessage = FuzzTarget("agent-message") { bytes in
        _ = MCPMessage.leadingID(of: bytes)
        let message: MCPMessage
        do throws(MCPMessage.Malformed) {
            message = try MCPMessage(bytes)
        } catch {
            try requirePlain(error.reason, "the reason")
            return .rejected
        }
        let line = message.line
        try require(line.last == 0x0A && !line.dropLast().contains { $0 == 0x0A || $0 == 0x0D }, "not one line")
        try requireEqual(try? MCPMessage(line).parts, message.parts, "the line, read again")
        try requireEqual(try? JSONValue(parsing: line), try? JSONValue(parsing: bytes), "the value of the line")
        return .accepted
    }

    /// A server's stream of events: the same events however it is divided, and an ID that a header can have.
    static let eventStream = FuzzTarget("event-stream") { bytes in
        func read(_ size: Int) throws -> (events: [EventStream.Event], id: String?) {
            var stream = EventStream(mostBytes: 1 << 16)
            var events: [EventStream.Event] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                events += try stream.take(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            return (events, stream.lastID)
        }
        guard let whole = try? read(max(1, bytes.count)) else { return .rejected }
        for size in [1, 3] {
            guard let divided = try? read(size) else { continue }
            try requireEqual(divided.events, whole.events, "the events of pieces of \(size) bytes")
            try requireEqual(divided.id, whole.id, "the last ID")
        }
        if let id = whole.id {
            try require(!id.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a control character in the last ID")
        }
        return whole.events.isEmpty ? .rejected : .accepted
    }
}
