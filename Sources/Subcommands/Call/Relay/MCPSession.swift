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

    /// - Parameters:
    ///   - head: the response to `initialize`.
    ///   - result: the message in it.
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

    /// The headers for a message. A message that names its revision needs no session.
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
    /// Whether this is one to a thousand visible ASCII characters.
    fileprivate var isHeaderText: Bool { (1...1024).contains(utf8.count) && isVisibleASCII }
}

/// What a response to a message means.
enum MCPOutcome: Sendable, Equatable {
    /// Taken, and nothing follows.
    case accepted
    /// The body is the message.
    case message
    /// The body is a stream of messages.
    case stream
    /// The server no longer knows the session: start another one (2025-03-26 and later, session management).
    case sessionLost
    /// The server may be one of 2024-11-05, which has another transport.
    case perhapsOld
    case failed

    /// - Parameter hadSession: whether the request named a session.
    init(_ response: HTTPResponse, to message: MCPMessage, hadSession: Bool) {
        let opens = message.methods.contains("initialize")
        self =
            switch response.status {
            case 200..<300 where Self.isStream(response): .stream
            case 202, 204: .accepted
            case 200..<300: response.body.isEmpty && message.requests.isEmpty ? .accepted : .message
            case 404 where hadSession: .sessionLost
            // Servers that keep to no revision.
            case 400 where hadSession && Self.names("session", in: response.body): .sessionLost
            case 404 where opens, 405 where opens, 400 where opens: .perhapsOld
            case _: .failed
            }
    }

    static func isStream(_ head: HTTPResponse) -> Bool {
        let type = head.headers["Content-Type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        return (200..<300).contains(head.status) && type?.lowercased() == "text/event-stream"
    }

    private static func names(_ word: String, in body: [UInt8]) -> Bool {
        String(decoding: body.prefix(1000), as: UTF8.self).lowercased().contains(word)
    }
}
