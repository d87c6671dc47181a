/// The reader of a stream of server-sent events (`text/event-stream`, WHATWG HTML §9.2), fed with pieces.
package struct EventStream: Sendable {
    package struct Event: Sendable, Equatable {
        var name: String
        var data: [UInt8]
    }

    package struct TooLarge: Error, Equatable {}

    /// Of the last event that was complete, for `Last-Event-ID`.
    package private(set) var lastID: String?
    private(set) var retry: Int?

    private let mostBytes: Int
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var name = ""
    private var id: String?
    private var isFirstLine = true
    /// Whether the last byte was a carriage return, whose line feed is part of the same line end.
    private var isAfterReturn = false

    package init(mostBytes: Int = 32 << 20) { self.mostBytes = mostBytes }

    /// Begins another connection: what was incomplete never arrives.
    mutating func restart() {
        (line, data, hasData, name, id) = ([], [], false, "", nil)
        (isFirstLine, isAfterReturn) = (true, false)
    }

    package mutating func take(_ piece: [UInt8]) throws(TooLarge) -> [Event] {
        var events: [Event] = []
        var start = piece.startIndex
        if isAfterReturn, piece.first == 0x0A { start += 1 }
        if !piece.isEmpty { isAfterReturn = false }
        while let end = piece[start...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            try append(piece[start..<end])
            if let event = try finishLine() { events.append(event) }
            start = end + 1
            guard piece[end] == 0x0D else { continue }
            if start == piece.endIndex { isAfterReturn = true } else if piece[start] == 0x0A { start += 1 }
        }
        try append(piece[start...])
        return events
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) throws(TooLarge) {
        guard line.count + data.count + bytes.count <= mostBytes + 64 else { throw TooLarge() }
        line += bytes
    }

    private mutating func finishLine() throws(TooLarge) -> Event? {
        defer { line.removeAll(keepingCapacity: line.capacity < 1 << 16) }
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == 0x20 { value = value.dropFirst() }
        take(line[..<colon], value)
        return nil
    }

    private mutating func take(_ field: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        switch String(decoding: field, as: UTF8.self) {
        case "data":
            if hasData { data.append(0x0A) }
            hasData = true
            data += value
        case "event": name = String(decoding: value, as: UTF8.self)
        case "id":
            // A header field can't have other characters.
            guard value.count <= 4096, value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return }
            id = String(decoding: value, as: UTF8.self)
        case "retry":
            guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
            retry = Int(String(decoding: value, as: UTF8.self))
        case _: break
        }
    }

    private mutating func dispatch() -> Event? {
        defer { (data, hasData, name) = ([], false, "") }
        if let id { lastID = id.isEmpty ? nil : id }
        return hasData ? Event(name: name.isEmpty ? "message" : name, data: data) : nil
    }
}
