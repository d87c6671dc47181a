import JSON
import OAuthCore

/// A line of JSON-RPC between a client and a server of the Model Context Protocol: its bytes as they came, and what a relay
/// needs to know of it.
package struct MCPMessage: Sendable {
    /// The largest message: one with a large attachment in base64.
    static let mostBytes = 32 << 20

    /// One message. A batch (2025-03-26) has several.
    package struct Part: Sendable, Equatable {
        var id: JSONValue?
        var method: String?
        /// Of the tool, prompt or resource.
        var name: String?
        /// The revision that the message itself names (2026-07-28).
        var version: String?
        /// The request that this notification cancels.
        var cancelled: JSONValue?

        var isRequest: Bool { method != nil && id != nil }
    }

    /// Why a text is no message, as a JSON-RPC error.
    package struct Malformed: Error, Equatable {
        var code: Int
        package var reason: String

        static let tooLarge = Malformed(
            code: -32600, reason: "The message is larger than the limit of \(MCPMessage.mostBytes >> 20) MiB.")
        fileprivate static let other = Malformed(code: -32600, reason: "The text is JSON, but no JSON-RPC message.")
    }

    let bytes: [UInt8]
    package let parts: [Part]

    package init(_ bytes: [UInt8]) throws(Malformed) {
        self.bytes = bytes
        do throws(JSONValue.Malformed) {
            let isBatch = bytes.first { !$0.isJSONSpace } == UInt8(ascii: "[")
            parts = isBatch ? try Self.batch(bytes) : [try Self.part(bytes, JSONReader.members(of: bytes))]
        } catch {
            throw Malformed(code: -32700, reason: "The line isn't valid JSON: byte \(error.offset + 1).")
        }
        guard !parts.isEmpty, parts.allSatisfy({ $0.method != nil || $0.id != nil }) else { throw .other }
    }

    /// The IDs of the requests, each of which needs a response.
    var requests: Set<JSONValue> { Set(parts.filter(\.isRequest).compactMap(\.id)) }
    var responses: [JSONValue] { parts.filter { $0.method == nil }.compactMap(\.id) }
    var methods: [String] { parts.compactMap(\.method) }
    /// The only message, unless this is a batch.
    var only: Part? { parts.count == 1 ? parts.first : nil }

    /// The message in one line. Line ends within JSON are space.
    package var line: [UInt8] { Self.line(of: bytes) }

    private static func line(of bytes: [UInt8]) -> [UInt8] {
        let isOneLine = !bytes.contains { $0 == 0x0A || $0 == 0x0D }
        return (isOneLine ? bytes : bytes.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }) + [0x0A]
    }

    private static func batch(_ bytes: [UInt8]) throws(JSONValue.Malformed) -> [Part] {
        // Checks the whole text: elements alone are leading ones.
        _ = try JSONReader.members(of: Array("{\"batch\":".utf8) + bytes + Array("}".utf8))
        let start = bytes.firstIndex { !$0.isJSONSpace } ?? 0
        var parts: [Part] = []
        for range in JSONReader.leadingElements(of: bytes, from: start).elements {
            guard bytes[range.lowerBound] == UInt8(ascii: "{") else { return [] }
            parts.append(try part(bytes, JSONReader.members(of: bytes, in: range)))
        }
        return parts
    }

    private static func part(_ bytes: [UInt8], _ members: [JSONReader.Member]) throws(JSONValue.Malformed) -> Part {
        var part = Part()
        for member in members {
            switch member.name {
            case "id": part.id = try JSONReader.value(of: bytes, in: member.value).identifier
            case "method": part.method = try JSONReader.value(of: bytes, in: member.value).string
            case "params" where bytes[member.value.lowerBound] == UInt8(ascii: "{"):
                try read(try JSONReader.members(of: bytes, in: member.value), of: bytes, into: &part)
            case _: break
            }
        }
        if part.method != "notifications/cancelled" { part.cancelled = nil }
        return part
    }

    private static func read(
        _ parameters: [JSONReader.Member], of bytes: [UInt8], into part: inout Part
    ) throws(JSONValue.Malformed) {
        for member in parameters {
            switch member.name {
            case "name", "uri":
                guard bytes[member.value.lowerBound] == UInt8(ascii: "\"") else { continue }
                part.name = try JSONReader.value(of: bytes, in: member.value).string
            case "requestId": part.cancelled = try JSONReader.value(of: bytes, in: member.value).identifier
            case "_meta":
                let about = try JSONReader.value(of: bytes, in: member.value)
                part.version = about["io.modelcontextprotocol/protocolVersion"]?.string
            case _: break
            }
        }
    }

    static func error(_ id: JSONValue?, code: Int, _ message: String, data: JSONValue? = nil) -> [UInt8] {
        line(id, JSONValue(members: ["code": JSONValue(code), "message": .string(message), "data": data]))
    }

    private static func line(_ id: JSONValue?, _ error: JSONValue) -> [UInt8] {
        Array(JSONValue.object(["jsonrpc": "2.0", "id": id ?? .null, "error": error]).line.utf8)
    }

    /// The error of a server's response with a status that isn't 2xx, for a request: servers leave out its ID there.
    static func error(_ id: JSONValue, from body: [UInt8]) -> [UInt8]? {
        guard let error = (try? JSONValue(parsing: body))?["error"], error["code"]?.integer != nil,
            error["message"]?.string != nil
        else { return nil }
        return line(id, error)
    }
}

extension MCPMessage {
    /// The ID of a request of which only the start is known.
    package static func leadingID(of start: [UInt8]) -> JSONValue? {
        let outside = String(decoding: start, as: UTF8.self).prefix { $0 != "}" }
        let id = #/^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*("[^"\\]*"|-?[0-9]{1,18})\s*,/#
        return outside.firstMatch(of: id).flatMap { try? JSONValue(parsing: String($0.1)) }?.identifier
    }

    /// Whether a server rejected this call of a tool because its headers differ from its arguments (MCP 2026-07-28,
    /// `HeaderMismatch`). The tool was not called.
    func isRejectedForHeaders(by response: HTTPResponse) -> Bool {
        only?.method == "tools/call" && response.status == 400
            && (try? JSONValue(parsing: response.body))?["error"]?["code"]?.integer == -32020
    }

    /// A request for the server's tools, with what this call says of the client; `nil` for a call that says nothing.
    func listing(after cursor: JSONValue?) throws -> MCPMessage? {
        guard var about = try JSONValue(parsing: bytes)["params"]?["_meta"]?.object else { return nil }
        about["progressToken"] = nil
        let parameters = JSONValue(members: ["_meta": .object(about), "cursor": cursor])
        let request: JSONValue = .object([
            "jsonrpc": "2.0", "id": "keyturn-tools", "method": "tools/list", "params": parameters,
        ])
        return try MCPMessage(Array(request.serialized.utf8))
    }
}

extension JSONValue {
    /// The value, if it can be the ID of a request.
    fileprivate var identifier: JSONValue? {
        switch self {
        case .string, .integer, .large, .number: self
        case .null, .bool, .array, .object: nil
        }
    }
}
