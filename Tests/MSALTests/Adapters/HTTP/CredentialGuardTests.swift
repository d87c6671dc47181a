import Foundation
import Glibc
import OAuthCore
import Testing

@testable import MSAL

@Suite("The owner of a local port")
struct CredentialGuardTests {
    /// A server on 127.0.0.1 whose socket belongs to another user. Only the thread that creates it acts as that user.
    private static func foreignServer(as user: UInt32) async throws -> (socket: Int32, port: UInt16) {
        try await RawClient.off {
            // Glibc's module omits it. It is the only call that changes the user of a single thread.
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
        "Decides where a request may go, even one for metadata without a credential",
        .enabled(if: geteuid() == 0, "only root can make another user's socket"),
        arguments: [
            (HTTPRequest.Method.post, HTTPHeaders()),
            (.get, HTTPHeaders(dictionaryLiteral: ("Authorization", "Bearer t"))),
            (.get, HTTPHeaders()),
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
        #expect(failure?.reason.contains("\(port)") == true)
        // The connection existed; nothing was sent on it.
        let connection = accept(socket, nil, nil)
        defer { close(connection) }
        var byte: UInt8 = 0
        #expect(connection >= 0 && recv(connection, &byte, 1, 0) <= 0)
    }

    @Test("Must be known: if no process is found, the credential is not sent")
    func unknown() {
        #expect(CredentialGuard.mayReceive("127.0.0.1", 1, 2) == 0)
        #expect(CredentialGuard.mayReceive("no address", 1, 2) == 0)
        #expect(CredentialGuard.mayReceive(nil, 1, 2) == 0)
    }

    @Test("Is the current user if this process listens")
    func own() throws {
        let (socket, port) = try RawClient.holder(of: "127.0.0.1", listens: true)
        defer { close(socket) }
        #expect(CredentialGuard.mayReceive("127.0.0.1", Int32(port), 2) == 1)
    }

    @Test("Decides whether a page may be opened: each listener on the port counts", .enabled(if: geteuid() == 0))
    func foreignPage() async throws {
        let (socket, port) = try await Self.foreignServer(as: Self.stranger)
        defer { close(socket) }
        for host in ["localhost", "127.0.0.1", "[::1]", "127.9.9.9", "LOCALHOST"] {
            let page = try #require(URL(string: "http://\(host):\(port)/authorize?state=s"))
            let failure = #expect(throws: TransportFailure.self) {
                try SystemBrowser(environment: [:]).checkServer(of: page)
            }
            #expect(failure?.kind == .foreignPort)
            #expect(failure?.reason.contains("No page was opened") == true)
        }
        let page = try #require(URL(string: "https://localhost:\(port)/"))
        try SystemBrowser(environment: [:]).checkServer(of: page)
    }

    @Test("Lets a page of this user's process open, but none on a port without a process")
    func ownPage() throws {
        let (socket, port) = try RawClient.holder(of: "127.0.0.1", listens: true)
        let page = try #require(URL(string: "http://localhost:\(port)/"))
        try CredentialGuard.check(page)
        close(socket)
        let failure = #expect(throws: TransportFailure.self) { try CredentialGuard.check(page) }
        #expect(failure?.kind == .couldNotConnect)
        try CredentialGuard.check(try #require(URL(string: "https://login.contoso.example/")))
        #expect(throws: TransportFailure.self) {
            try CredentialGuard.check(try #require(URL(string: "http://localhost:70000/")))
        }
    }
}
