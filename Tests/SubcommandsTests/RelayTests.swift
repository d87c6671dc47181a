import Foundation
import JSON
import KeyturnSystem
import MSAL
import OAuthCore
import TestSupport
import Testing

@testable import Subcommands

/// What decides in a relay, as values.
@Suite("A relay for agents") struct RelayTests {
    private func message(_ text: String) throws -> MCPMessage { try MCPMessage(Array(text.utf8)) }

    @Test("A line is a request, a notification, a response or a batch of them")
    func kinds() throws {
        let request = try message(
            #"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"name":"b"}}}"#)
        #expect(request.requests == [7] && request.responses.isEmpty && request.only?.name == "a")
        let cancelling = try message(#"{"method":"notifications/cancelled","params":{"requestId":"x"}}"#)
        #expect(cancelling.requests.isEmpty && cancelling.only?.cancelled == "x")
        #expect(try message(#"{"id":"x","result":{}}"#).responses == ["x"])
        let batch = try message(#" [{"id":1,"method":"a"},{"method":"b"},{"id":2,"result":{}},{"id":3,"method":"c"}]"#)
        #expect(batch.requests == [1, 3] && batch.responses == [2] && batch.only == nil)
        // A request of the server may have an ID that is one of the client's.
        #expect(try message(#"{"id":1,"method":"ping"}"#).responses.isEmpty)
        #expect(try message(#"{"id":1,"method":"tools/call","params":{"requestId":2}}"#).only?.cancelled == nil)
    }

    @Test(
        "What isn't JSON has another code than what is no message",
        arguments: [
            ("{", -32700), ("", -32700), ("{}}", -32700), ("[{\"id\":1,\"method\":\"a\"},]", -32700), ("7", -32700),
            ("{}", -32600), ("[]", -32600), ("[1]", -32600), ("{\"id\":null}", -32600), ("{\"id\":{}}", -32600),
        ])
    func malformed(_ text: String, _ code: Int) {
        let error = #expect(throws: MCPMessage.Malformed.self) { try message(text) }
        #expect(error?.code == code)
    }

    @Test("Whoever takes an event may ask about the stream", .timeLimit(.minutes(1))) func reception() {
        let (asked, counts) = (Locked<MCPReception?>(nil), Locked<[Int]>([]))
        let reception = MCPReception { _, _ in
            let count = asked.withLock(\.self)?.count ?? 0
            counts.withLock { $0.append(count) }
            return count == 2
        }
        asked.withLock { $0 = reception }
        _ = reception.take(HTTPResponse(status: 200), Array("data: 1\n\ndata: 2\n\ndata: 3\n\n".utf8))
        #expect(counts.withLock(\.self) == [1, 2])
        #expect(reception.isEnough && !reception.isTooLarge)
    }

    @Test("Bytes that aren't UTF-8 are no message") func encoding() {
        #expect(throws: MCPMessage.Malformed.self) {
            try MCPMessage(Array(#"{"id":1,"method":""#.utf8) + [0xFF, 0x22, 0x7D])
        }
    }

    @Test("A message goes out in one line, with its other bytes as they are") func line() throws {
        let text = "{\n \"id\" : 1.50,\r\n \"result\":{\"a\\n\":\"é\\u0041\"} }"
        let line = String(decoding: try message(text).line, as: UTF8.self)
        #expect(line == text.replacingOccurrences(of: "\n", with: " ").replacingOccurrences(of: "\r", with: " ") + "\n")
    }

    @Test("A server's error keeps its code, and gets the ID of the request") func serversError() throws {
        let body = #"{"jsonrpc":"2.0","id":"server-error","error":{"code":-32602,"message":"No","data":[1]}}"#
        let line = try #require(MCPMessage.error(7, from: Array(body.utf8)))
        #expect(
            try JSONValue(parsing: line)
                == JSONValue(parsing: body.replacingOccurrences(of: "\"server-error\"", with: "7")))
        for body in ["{}", "", #"{"error":"x"}"#, #"{"error":{"code":1}}"#] {
            #expect(MCPMessage.error(7, from: Array(body.utf8)) == nil)
        }
    }

    @Test(
        "The ID of a request that is too long is in its start",
        arguments: [
            (#"{"jsonrpc":"2.0","id":7,"method":"a","params":{"#, 7), (#"{"id":"x","method""#, "x"),
            (#"{"method":"tools/call","jsonrpc":"2.0","id":12,"p"#, 12), (#"{"params":{"id":7},"id":8}"#, nil),
            (#"{"jsonrpc":"2.0","params":"#, nil), (#"[{"id":7,"#, nil), (#"{"id":7"#, nil),
        ] as [(String, JSONValue?)])
    func leadingID(_ start: String, _ id: JSONValue?) {
        #expect(MCPMessage.leadingID(of: Array(start.utf8)) == id)
    }

    // MARK: Events

    private let stream = [
        ("data: a\n\n", ["a"]), ("data:a\r\ndata: b\r\n\r\n", ["a\nb"]), ("data\r\rdata: x\r\r", ["", "x"]),
        (": note\n\ndata: a\n\n", ["a"]), ("event: ping\n\n", []), ("data: unfinished\n", []),
        ("\u{FEFF}data: a\n\n", ["a"]), ("data:  a\nother: b\n\n", [" a"]), ("dаta: x\n\n", []),
    ]

    @Test("Events are the same, however the stream is divided", arguments: 1...4) func events(size: Int) throws {
        for (text, expected) in stream {
            var reader = EventStream()
            var events: [String] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                events += try reader.take(Array(rest.prefix(size))).map { String(decoding: $0.data, as: UTF8.self) }
                rest = rest.dropFirst(size)
            }
            #expect(events == expected, "\(text.debugDescription)")
        }
    }

    @Test("The last ID counts once its event is complete, and outlives the connection") func lastID() throws {
        var reader = EventStream()
        _ = try reader.take(Array("id: 1\nretry: 250\ndata:\n\nid: 2\ndata: x\n".utf8))
        #expect(reader.lastID == "1" && reader.retry == 250)
        reader.restart()
        #expect(try reader.take(Array("\n".utf8)).isEmpty)
        #expect(reader.lastID == "1")
        _ = try reader.take(Array("id: 3\n\nid: a\u{7}\n\nretry: -1\nretry: x\n\n".utf8))
        #expect(reader.lastID == "3" && reader.retry == 250)
        _ = try reader.take(Array("id\n\n".utf8))
        #expect(reader.lastID == nil)
    }

    @Test("An endless line or event ends the stream") func tooLarge() {
        for piece in [
            "data: \(String(repeating: "x", count: 300))", String(repeating: "data: 0123456789\n", count: 30),
        ] {
            var reader = EventStream(mostBytes: 100)
            #expect(throws: EventStream.TooLarge.self) { try reader.take(Array(piece.utf8)) }
        }
    }

    // MARK: Sessions

    private func opened(_ headers: HTTPHeaders, _ result: String = #"{"protocolVersion":"2025-11-25"}"#) -> MCPSession?
    {
        MCPSession(HTTPResponse(status: 200, headers: headers), result: Array(#"{"id":1,"result":\#(result)}"#.utf8))
    }

    @Test("Each message of a session has its ID and revision, but not the one that starts another") func headers()
        throws
    {
        let session = try #require(opened(["mcp-session-id": "s1"]))
        let headers = session.headers(for: try message(#"{"id":1,"method":"tools/list"}"#))
        #expect(headers.fields.map(\.value) == ["s1", "2025-11-25"])
        #expect(session.headers(for: try message(#"{"id":1,"method":"initialize"}"#)).fields.isEmpty)
        #expect(session.mayListen && !MCPSession().mayListen)
    }

    @Test(
        "What a header can't have isn't sent", arguments: ["a b", "a\nb", "é", "", String(repeating: "x", count: 2000)])
    func unsafeSession(_ id: String) throws {
        let unsafe = try #require(opened(["Mcp-Session-Id": id], #"{"protocolVersion":"1\r\nX: y"}"#))
        #expect(unsafe.headers.fields.isEmpty)
    }

    @Test("A message that names its revision repeats its method and name in headers (2026-07-28)") func namedRevision()
        throws
    {
        func headers(_ method: String, _ name: String, _ version: String = "2026-07-28") throws -> HTTPHeaders {
            MCPSession().headers(
                for: try message(
                    #"{"id":1,"method":"\#(method)","params":{"name":"\#(name)","_meta":{"io.modelcontextprotocol/protocolVersion":"\#(version)"}}}"#
                ))
        }
        let call = try headers("tools/call", "read")
        #expect(
            call["MCP-Protocol-Version"] == "2026-07-28" && call["Mcp-Method"] == "tools/call"
                && call["Mcp-Name"] == "read")
        #expect(try headers("tools/call", "é")["Mcp-Name"] == "=?base64?w6k=?=")
        #expect(try headers("tools/call", " a")["Mcp-Name"] == "=?base64?IGE=?=")
        #expect(try headers("tools/list", "read")["Mcp-Name"] == nil)
        #expect(try headers("tools/call", "read", "2025-11-25")["Mcp-Method"] == nil)
    }

    @Test(
        "Arguments that a tool wants in headers are sent there, once the tools are listed (2026-07-28)",
        arguments: [
            (#"{"region":"eu"}"#, "eu"), (#"{"region":true}"#, "true"), (#"{"region":42}"#, "42"),
            (#"{"region":null}"#, nil), (#"{"region":["eu"]}"#, nil), (#"{}"#, nil),
            (#"{"region":"é"}"#, "=?base64?w6k=?="), (#"{"region":"a\r\nX: y"}"#, "=?base64?YQ0KWDogeQ==?="),
            (#"{"region":"=?base64?x?="}"#, "=?base64?PT9iYXNlNjQ/eD89?="),
        ] as [(String, String?)])
    func toolHeaders(arguments: String, value: String?) throws {
        let call = try message(
            #"{"id":1,"method":"tools/call","params":{"name":"query","arguments":{"at":\#(arguments)},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#
        )
        func list(_ name: String, besides other: String = "Other") -> [UInt8] {
            Array(
                #"{"id":1,"result":{"tools":[{"name":"query","inputSchema":{"properties":{"b":{"x-mcp-header":"\#(other)"},"at":{"properties":{"region":{"x-mcp-header":"\#(name)"}}}}}}]}}"#
                    .utf8)
        }
        var session = MCPSession()
        #expect(session.headers(for: call)["Mcp-Param-Region"] == nil)
        let isComplete = session.tools.note(list("Region")) == nil
        #expect(isComplete)
        #expect(session.headers(for: call)["Mcp-Param-Region"] == value)
        // Invalid declarations.
        for invalid in [
            list("Re gion"), list(""), list("Region", besides: "region"), list(#"R","type":"array"#),
            list(#"R","items":{"x-mcp-header":"A"},"type":""#), list(#"R","oneOf":[{"x-mcp-header":"A"}],"type":""#),
        ] {
            let left = session.tools.note(invalid)
            let (rest, names) = try #require(left)
            #expect(rest["result"]?["tools"] == .array([]) && rest["id"]?.integer == 1 && names == ["query"])
            #expect(session.headers(for: call).fields.allSatisfy { !$0.name.hasPrefix("Mcp-Param") })
        }
    }

    @Test("A call that is rejected for its headers leads to a list of the tools, with what the call says of the client")
    func mismatch() throws {
        let call = try message(
            #"{"id":1,"method":"tools/call","params":{"name":"query","_meta":{"progressToken":7,"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#
        )
        func response(_ status: Int, _ code: Int) -> HTTPResponse {
            HTTPResponse(status: status, body: Array(#"{"error":{"code":\#(code),"message":"x"}}"#.utf8))
        }
        #expect(call.isRejectedForHeaders(by: response(400, -32020)))
        #expect(!call.isRejectedForHeaders(by: response(400, -32602)))
        #expect(!call.isRejectedForHeaders(by: response(200, -32020)))
        #expect(try !message(#"{"id":1,"method":"tools/list"}"#).isRejectedForHeaders(by: response(400, -32020)))
        let list = try JSONValue(parsing: try #require(try call.listing(after: "next")).bytes)
        #expect(list["method"] == "tools/list" && list["params"]?["cursor"] == "next")
        #expect(list["params"]?["_meta"] == .object(["io.modelcontextprotocol/protocolVersion": "2026-07-28"]))
        #expect(try message(#"{"id":1,"method":"tools/call"}"#).listing(after: nil) == nil)
    }

    @Test(
        "What a response means",
        arguments: [
            (200, "application/json", "{}", true, MCPOutcome.message),
            (200, "text/event-stream; charset=utf-8", "", true, .stream),
            (202, "", "", true, .accepted), (204, "", "", true, .accepted), (404, "", "", true, .sessionLost),
            (404, "", "", false, .failed),
            (400, "application/json", #"{"error":"No valid session ID"}"#, true, .sessionLost),
            (400, "application/json", #"{"error":"No such tool"}"#, true, .failed),
            (500, "text/event-stream", "", true, .failed),
            (200, "TEXT/EVENT-STREAM", "", false, .stream), (405, "", "", false, .failed),
        ])
    func answers(_ status: Int, _ type: String, _ body: String, _ hadSession: Bool, _ outcome: MCPOutcome) throws {
        let response = HTTPResponse(status: status, headers: ["Content-Type": type], body: Array(body.utf8))
        let call = try message(#"{"id":1,"method":"tools/call"}"#)
        #expect(MCPOutcome(response, to: call, hadSession: hadSession) == outcome)
    }

    @Test("Some servers answer a notification, too", arguments: ["", "{}", "null", "OK"]) func noted(_ body: String)
        throws
    {
        let note = try message(#"{"method":"notifications/initialized"}"#)
        let response = HTTPResponse(
            status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
        #expect(MCPOutcome(response, to: note, hadSession: true) == .accepted)
    }

    @Test("A rejected start may mean a server of another transport", arguments: [400, 404, 405]) func old(_ status: Int)
        throws
    {
        let opening = try message(#"{"id":1,"method":"initialize"}"#)
        #expect(MCPOutcome(HTTPResponse(status: status), to: opening, hadSession: false) == .perhapsOld)
    }

    // MARK: Lines

    @Test("Lines are the same, however the input is divided", arguments: 1...5) func lines(size: Int) {
        var splitter = LineInput.Splitter(mostBytes: 8)
        var lines: [LineInput.Line] = []
        var rest = Array("ab\n\n \r\nc\n123456789\nd".utf8)[...]
        while !rest.isEmpty {
            lines += splitter.take(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        lines += [splitter.end()].compactMap(\.self)
        #expect(lines.count == 4)
        #expect(lines.first == .text([0x61, 0x62]) && lines.last == .text([0x64]))
        #expect(lines[2] == .tooLong(start: Array("123456789".utf8)))
    }

    // MARK: Clients

    @Test("Each client has its form of the same start", arguments: MCPClient.allCases) func clients(_ client: MCPClient)
        throws
    {
        let text = client.lines(
            name: "mail.example:8443", program: "/opt/a \"b\"/keyturn", ["mcp", "https://mail.example/mcp"])
        guard client != .codex else {
            #expect(
                text == """
                    [mcp_servers.mail-example-8443]
                    command = "/opt/a \\"b\\"/keyturn"
                    args = ["mcp","https://mail.example/mcp"]

                    """)
            return
        }
        let document = try JSONValue(parsing: text)
        let server = try #require(document[client == .vscode ? "servers" : "mcpServers"]?["mail-example-8443"])
        #expect(
            server["command"] == "/opt/a \"b\"/keyturn"
                && server["args"]?.strings == ["mcp", "https://mail.example/mcp"])
        #expect((server["type"] == "stdio") == [.claudeCode, .vscode].contains(client))
    }
}
