import Foundation
import JSON
import OAuthCore

/// The state of a session with a server, and the headers that follow from it.
struct MCPSession: Sendable, Equatable {
    /// The first revision without sessions, and with headers that repeat what the body says.
    static let withoutSessions = "2026-07-28"

    private(set) var id: String?
    /// The revision that client and server agreed on.
    private(set) var version: String?
    var tools = MCPToolHeaders()

    /// - Parameter head: the response to `initialize`, with its message.
    init?(_ head: HTTPResponse, result message: [UInt8]) {
        guard let result = (try? JSONValue(parsing: message))?["result"] else { return nil }
        version = result["protocolVersion"]?.string.flatMap { $0.isHeaderText ? $0 : nil }
        id = head.headers["Mcp-Session-Id"].flatMap { $0.isHeaderText ? $0 : nil }
    }

    init() {}

    /// Whether the server can have a stream of its own.
    var mayListen: Bool { version.map { $0 < Self.withoutSessions } ?? false }

    /// The headers for a stream, or for the end of the session.
    var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        headers["Mcp-Session-Id"] = id
        headers["MCP-Protocol-Version"] = version
        return headers
    }

    /// A message that names its revision needs no session.
    func headers(for message: MCPMessage) -> HTTPHeaders {
        var headers = message.methods.contains("initialize") ? HTTPHeaders() : self.headers
        guard let part = message.only, let version = part.version, version.isHeaderText else { return headers }
        headers["MCP-Protocol-Version"] = version
        guard version >= Self.withoutSessions else { return headers }
        headers["Mcp-Method"] = part.method.map(Self.encoded)
        let isNamed = ["tools/call", "prompts/get", "resources/read"].contains(part.method)
        headers["Mcp-Name"] = isNamed ? part.name.map(Self.encoded) : nil
        if part.method == "tools/call", let tool = part.name {
            for field in tools.values(for: tool, in: message.bytes) { headers[field.name] = Self.encoded(field.value) }
        }
        return headers
    }

    /// Text for a header, encoded if it has characters that a header can't have.
    private static func encoded(_ text: String) -> String {
        let isPlain =
            text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && text.first != " " && text.last != " "
            && !text.hasPrefix("=?base64?")
        return isPlain ? text : "=?base64?\(Data(text.utf8).base64EncodedString())?="
    }
}

extension String {
    fileprivate var isHeaderText: Bool { (1...1024).contains(utf8.count) && isVisibleASCII }
}

/// Of the response to a message.
enum MCPOutcome: Sendable, Equatable {
    case accepted
    case message
    case stream
    /// The server no longer knows the session: start another one (2025-03-26 and later, session management).
    case sessionLost
    /// The server may be one of 2024-11-05, which has another transport.
    case perhapsOld
    case failed

    init(_ response: HTTPResponse, to message: MCPMessage, hadSession: Bool) {
        let opens = message.methods.contains("initialize")
        self =
            switch response.status {
            case 200..<300 where Self.isStream(response): .stream
            case 202, 204: .accepted
            case 200..<300: message.requests.isEmpty ? .accepted : .message
            case 404 where hadSession: .sessionLost
            // Servers that keep to no revision.
            case 400 where hadSession && Self.namesSession(response.body): .sessionLost
            case 404 where opens, 405 where opens, 400 where opens: .perhapsOld
            case _: .failed
            }
    }

    static func isStream(_ head: HTTPResponse) -> Bool {
        let type = head.headers["Content-Type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        return (200..<300).contains(head.status) && type?.lowercased() == "text/event-stream"
    }

    private static func namesSession(_ body: [UInt8]) -> Bool {
        String(decoding: body.prefix(1000), as: UTF8.self).lowercased().contains("session")
    }
}

/// The arguments of a server's tools that it wants in header fields, too, so that gateways can route by them (MCP 2026-07-28,
/// `x-mcp-header`).
struct MCPToolHeaders: Sendable, Equatable {
    private struct Field: Sendable, Equatable {
        var path: [String]
        var name: String
    }

    private var tools: [String: [Field]] = [:]

    private static let deepest = 8

    /// Returns the response to `tools/list` without the tools that declare an invalid header, which no client may offer.
    mutating func note(_ response: [UInt8]) -> (rest: JSONValue, names: [String])? {
        guard var message = (try? JSONValue(parsing: response))?.object, var result = message["result"]?.object,
            var list = result["tools"]?.array
        else { return nil }
        var invalid: [String] = []
        list.removeAll { tool in
            guard let name = tool["name"]?.string else { return false }
            let fields = Self.fields(of: tool["inputSchema"], at: [])
            let areValid =
                Set(fields.map { $0.name.lowercased() }).count == fields.count
                && fields.allSatisfy { $0.name.utf8.count <= 64 && $0.name.isFieldName }
            tools[name] = areValid && !fields.isEmpty ? fields : nil
            if !areValid { invalid.append(name) }
            return !areValid
        }
        guard !invalid.isEmpty else { return nil }
        result["tools"] = .array(list)
        message["result"] = .object(result)
        return (.object(message), invalid)
    }

    /// A declaration that no chain of `properties` leads to is invalid, too: it may hold for no argument, or for many.
    private static func fields(of schema: JSONValue?, at path: [String]) -> [Field] {
        guard path.count < deepest else { return [] }
        let others = (schema?.object ?? [:]).filter { !["properties", "default", "examples", "enum"].contains($0.key) }
        let strays = others.values.contains(where: declares) || path.isEmpty && others[keyword] != nil
        return (strays ? [Field(path: path, name: "")] : []) + declared(in: schema, at: path)
    }

    private static let keyword = "x-mcp-header"

    private static func declares(_ value: JSONValue) -> Bool {
        switch value {
        case .object(let members): members[keyword] != nil || members.values.contains(where: declares)
        case .array(let elements): elements.contains(where: declares)
        case .string, .integer, .large, .number, .bool, .null: false
        }
    }

    private static func declared(in schema: JSONValue?, at path: [String]) -> [Field] {
        (schema?["properties"]?.object ?? [:]).sorted { $0.key < $1.key }.flatMap { key, property in
            // A header has room for a string, a number or a fact. Without a name, the declaration is invalid.
            let isPlain = !["object", "array"].contains(property["type"]?.string)
            let own = property[keyword].map { Field(path: path + [key], name: isPlain ? $0.string ?? "" : "") }
            return [own].compactMap(\.self) + fields(of: property, at: path + [key])
        }
    }

    /// The fields for a call of a tool. Arguments that are missing or `null` have none.
    func values(for tool: String, in message: [UInt8]) -> [(name: String, value: String)] {
        guard let fields = tools[tool], let arguments = (try? JSONValue(parsing: message))?["params"]?["arguments"]
        else { return [] }
        return fields.compactMap { field in
            let argument = field.path.reduce(arguments as JSONValue?) { $0?[$1] }
            // A longer value stays out, and the server says what it misses.
            guard let value = argument.flatMap(Self.text), value.utf8.count <= 4096 else { return nil }
            return ("Mcp-Param-\(field.name)", value)
        }
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .bool(let fact): fact ? "true" : "false"
        case .integer, .large, .number: value.serialized
        case .null, .array, .object: nil
        }
    }
}
