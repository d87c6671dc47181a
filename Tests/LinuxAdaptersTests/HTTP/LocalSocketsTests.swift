import AuthEngine
import Foundation
import Glibc
import OAuthCore
import Testing

@testable import LinuxAdapters

@Suite("Whose process holds a port of this computer")
struct LocalSocketsTests {
    private static let header =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode"

    private static func line(_ local: String, _ state: String, _ user: Int) -> String {
        line(local, "00000000:0000", state, user)
    }

    private static func line(
        _ local: String, _ remote: String, _ state: String, _ user: Int, _ inode: Int = 7
    ) -> String {
        "   0: \(local) \(remote) \(state) 00000000:00000000 00:00000000 00000000  \(user)        0 \(inode) 1 0 100 0 0 10 0"
    }

    private static let six = String(repeating: "0", count: 32)
    private static let sixLoopback = "00000000000000000000000001000000"
    private static let mapped = "0000000000000000FFFF00000100007F"

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var four: [String] = []
        var six: [String] = []
        var address = "127.0.0.1"
        var users: Set<UInt32>
    }

    static let cases = [
        Case(testDescription: "none", users: []),
        Case(testDescription: "the address itself", four: [line("0100007F:1F90", "0A", 1001)], users: [1001]),
        Case(testDescription: "any address", four: [line("00000000:1F90", "0A", 1001)], users: [1001]),
        Case(
            testDescription: "the most specific first",
            four: [line("00000000:1F90", "0A", 1001), line("0100007F:1F90", "0A", 1002)], users: [1002]),
        Case(testDescription: "another port", four: [line("0100007F:1F91", "0A", 1001)], users: []),
        Case(testDescription: "another address", four: [line("0200007F:1F90", "0A", 1001)], users: []),
        Case(testDescription: "both families at once", six: [line("\(six):1F90", "0A", 1001)], users: [1001]),
        Case(testDescription: "an IPv4 address in IPv6", six: [line("\(mapped):1F90", "0A", 1001)], users: [1001]),
        Case(
            testDescription: "IPv6", four: [line("0100007F:1F90", "0A", 1001)],
            six: [line("\(sixLoopback):1F90", "0A", 1002)], address: "::1", users: [1002]),
        Case(
            testDescription: "several processes at one port",
            four: [line("0100007F:1F90", "0A", 1001), line("0100007F:1F90", "0A", 0)], users: [0, 1001]),
        Case(
            testDescription: "a listener that has gone, after it accepted",
            four: [line("0100007F:1F90", "0100007F:C350", "01", 1001)], users: [1001]),
        Case(
            testDescription: "a listener that has gone before it accepted",
            four: [line("0100007F:1F90", "0100007F:C350", "01", 0, 0)], users: []),
        Case(
            testDescription: "a worker of the listener's counts as the listener",
            four: [line("0100007F:1F90", "0100007F:C350", "01", 33), line("0100007F:1F90", "0A", 0)], users: [0]),
        Case(
            testDescription: "somebody else's connection",
            four: [line("0100007F:1F90", "0100007F:C351", "01", 1001)], users: []),
        Case(testDescription: "garbage", four: ["", "x", "0: :: : 0A", line("0100007F:zz", "0A", 1)], users: []),
    ]

    @Test("is read from the kernel's lists", arguments: cases)
    func users(_ one: Case) {
        let lists = [one.four, one.six].map { ([Self.header] + $0).joined(separator: "\n") }
        #expect(LocalSockets(lists).users(of: one.address, port: 8080, connectedFrom: 50000) == one.users)
    }

    /// A server on 127.0.0.1 whose socket belongs to another user. The thread that makes it acts as that user; no other
    /// thread does.
    private static func foreignServer(as user: UInt32) async throws -> (socket: Int32, port: UInt16) {
        try await RawClient.off {
            // Glibc's module leaves it out. It is the one call that changes the user of a single thread.
            typealias SetUser = @convention(c) (UInt32) -> Int32
            let setUser = unsafeBitCast(try #require(dlsym(nil, "setfsuid")), to: SetUser.self)
            let own = geteuid()
            _ = setUser(user)
            defer { _ = setUser(own) }
            return try RawClient.holder(of: "127.0.0.1", listens: true)
        }
    }

    private static let stranger: UInt32 = 65534

    @Test(
        "decides where a credential goes",
        .enabled(if: geteuid() == 0, "only root can make another user's socket"),
        arguments: [
            (HTTPRequest.Method.post, HTTPHeaders()),
            (.get, HTTPHeaders(dictionaryLiteral: ("Authorization", "Bearer t"))),
        ])
    func foreign(method: HTTPRequest.Method, headers: HTTPHeaders) async throws {
        let (socket, port) = try await Self.foreignServer(as: Self.stranger)
        defer { close(socket) }
        let url = try #require(URL(string: "http://localhost:\(port)/token"))
        let request = HTTPRequest(
            method, url, headers: headers, body: method == .post ? Array("refresh_token=secret".utf8) : [])
        let failure = await #expect(throws: TransportFailure.self) {
            try await CurlTransport(limits: .init(connectSeconds: 600, totalSeconds: 600)).send(request)
        }
        #expect(failure?.kind == .foreignPort)
        #expect(failure?.detail.contains("\(port)") == true)
        // The connection stood; nothing came on it.
        let connection = accept(socket, nil, nil)
        defer { close(connection) }
        var byte: UInt8 = 0
        #expect(connection >= 0 && recv(connection, &byte, 1, 0) <= 0)
    }

    @Test("does not matter to a request without a credential", .enabled(if: geteuid() == 0))
    func harmless() async throws {
        let (socket, port) = try await Self.foreignServer(as: Self.stranger)
        defer { close(socket) }
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/keys"))
        async let arrived = RawClient.off {
            let connection = accept(socket, nil, nil)
            defer { close(connection) }
            var bytes = [UInt8](repeating: 0, count: 3)
            return recv(connection, &bytes, 3, Int32(MSG_WAITALL)) == 3 ? bytes : []
        }
        await #expect(throws: TransportFailure.self) {
            try await CurlTransport(limits: .init(connectSeconds: 600, totalSeconds: 600)).send(HTTPRequest(.get, url))
        }
        #expect(try await arrived == Array("GET".utf8))
    }
}
