import Foundation
import Testing

@testable import KeyturnSystem

@Suite("The kernel's list of sockets")
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
            testDescription: "another user's connection",
            four: [line("0100007F:1F90", "0100007F:C351", "01", 1001)], users: []),
        Case(testDescription: "garbage", four: ["", "x", "0: :: : 0A", line("0100007F:zz", "0A", 1)], users: []),
    ]

    @Test("Names the possible owners of the other end", arguments: cases)
    func users(_ one: Case) {
        let lines = [one.four, one.six].flatMap { [Self.header] + $0 }
        #expect(LocalSockets(lines: lines).users(of: one.address, port: 8080, connectedFrom: 50000) == one.users)
    }

    @Test("Lists the sockets that listen on a port")
    func listening() {
        let lines = [Self.line("0100007F:1F90", "0A", 1000), Self.line("0100007F:1F90", "0100007F:D431", "01", 1000)]
        let found = LocalSockets(lines: lines).listening(on: 8080)
        #expect(found.map(\.inode) == ["7"] && found.map(\.user) == [1000])
        #expect(LocalSockets(lines: lines).listening(on: 8082).isEmpty)
        #expect(LocalSockets(lines: ["nonsense", "0:"]).listening(on: 8080).isEmpty)
    }

    @Test("Is read again when it lacks the socket, for a limited number of times")
    func missed() {
        let there = LocalSockets(lines: [Self.line("0100007F:1F90", "0A", 1000)])
        for missing in [0, 1, 3, 4] {
            var readings = 0
            let found = LocalSockets.firstFound(
                port: 8080,
                reading: { _ -> LocalSockets? in
                    readings += 1
                    return readings > missing ? there : LocalSockets(lines: [])
                }
            ) { $0.listening(on: 8080).first?.user }
            #expect(found == (missing < 4 ? 1000 : nil))
            #expect(readings == min(missing + 1, 4))
        }
    }

    @Test("The IPv6 list is read unless an IPv4 socket listens at the address itself", arguments: cases)
    func lists(_ one: Case) {
        var paths: [String] = []
        let sockets = LocalSockets.current(port: 8080, at: one.address) { path in
            paths.append(path)
            return path.hasSuffix("6") ? one.six : one.four
        }
        #expect(sockets?.users(of: one.address, port: 8080, connectedFrom: 50000) == one.users)
        let listens = one.address == "127.0.0.1" && one.four.contains { $0.contains("0100007F:1F90 00000000:0000 0A") }
        #expect(paths.count == (listens ? 1 : 2))
    }

    @Test("A list is read without closed connections, and only to its listeners if one has the port")
    func lines() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("sockets-\(UUID())").path
        defer { unlink(path) }
        let listeners = [Self.header, Self.line("0100007F:1F90", "0A", 1000), Self.line("0100007F:1F91", "0A", 1000)]
        let connection = Self.line("0100007F:1F92", "01", 6)
        let closed = Self.line("0100007F:1F90", "0100007F:C350", "06", 0, 0)
        let all = listeners + [closed, connection]
        try all.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        func lines(_ port: UInt16, at address: String? = nil) -> [String]? {
            LocalSockets.lines(of: path, port: port, at: address)?.map { $0.trimmingCharacters(in: .newlines) }
        }
        #expect(lines(8080) == listeners)
        #expect(lines(8081) == listeners)
        #expect(lines(8082) == listeners + [connection])
        // A socket at the address itself is the last line.
        #expect(lines(8080, at: "127.0.0.1") == Array(listeners.prefix(2)))
        #expect(lines(8080, at: "127.0.0.2") == listeners)
        #expect(lines(8082, at: "127.0.0.1") == listeners + [connection])
        #expect(LocalSockets.lines(of: path + "-missing", port: 1) == nil)
    }
}
