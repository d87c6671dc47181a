import Foundation
import Glibc
import OAuthCore
import Testing

@testable import LoopbackHTTP
@testable import MSAL

@Suite("Loopback listener: ports and addresses")
struct LoopbackListenerTests {
    @Test(
        "The syntax of a listen address",
        arguments: [
            ("8400", MSALLoopbackListener(ports: 8400...8400)),
            ("8400-8410", MSALLoopbackListener(ports: 8400...8410)),
            ("0.0.0.0:8400", MSALLoopbackListener(ports: 8400...8400, address: "0.0.0.0")),
            ("[::]:1-2", MSALLoopbackListener(ports: 1...2, address: "::")),
            ("", nil), ("0", nil), ("65536", nil), ("9-8", nil), ("-1", nil), ("1-", nil), (":8400", nil),
            ("::1:8400", nil), ("[127.0.0.1]:8400", nil), ("example.com:80", nil), ("8400 ", nil), ("1-2-3", nil),
        ] as [(String, MSALLoopbackListener?)])
    func text(text: String, listener: MSALLoopbackListener?) {
        #expect(MSALLoopbackListener(text) == listener)
    }

    private func open(
        _ redirectURI: String, _ listener: MSALLoopbackListener
    ) async throws -> any OpenRedirectReceiver {
        let url = try #require(URL(string: redirectURI))
        return try await LoopbackReceiver(listener: listener, pagePatience: 0).open(
            RedirectURI(url: url, kind: .loopback, isBrokerCapable: false)
        ) { $0.query()?.contains("state=right") == true }
    }

    @Test("Takes the first free port of a range, and names the owner of a port in use")
    func range() async throws {
        let (socket, port) = try RawClient.holder(of: "127.0.0.1", listens: true)
        defer { close(socket) }
        let last = port < .max - 20 ? port + 20 : port
        try #require(last > port)
        let receiver = try await open("http://localhost", MSALLoopbackListener(ports: port...last))
        #expect(receiver.redirectURI.port.map { $0 > Int(port) && $0 <= Int(last) } == true)
        await receiver.close()
        let failure = await #expect(throws: RedirectReceiverFailure.self) {
            try await open("http://localhost", MSALLoopbackListener(ports: port...port))
        }
        #expect(failure?.reason == "Port \(port) of 127.0.0.1 is taken by this program itself.")
    }

    @Test("Listens at the given address, and tells the authority the port that the browser uses")
    func address() async throws {
        let (socket, outside) = try RawClient.holder(of: "127.0.0.3", listens: false)
        defer { close(socket) }
        let (other, inside) = try RawClient.holder(of: "127.0.0.2", listens: false)
        close(other)
        let receiver = try await open(
            "http://localhost:\(outside)", MSALLoopbackListener(ports: inside...inside, address: "127.0.0.2"))
        #expect(receiver.redirectURI.absoluteString == "http://localhost:\(outside)")
        for (host, status) in [("localhost:\(inside)", 400), ("evil.example", 400), ("localhost:\(outside)", 303)] {
            let answer = try await RawClient.get("/?state=right", port: inside, address: "127.0.0.2", host: host)
            #expect(RawClient.status(answer) == status, "\(host)")
        }
        await receiver.close()
    }

    @Test("Listens only on the loopback address of the redirect URI")
    func otherLoopbackAddress() async throws {
        let receiver = try await open("http://127.0.0.2/back", MSALLoopbackListener())
        let port = try #require(receiver.redirectURI.port.flatMap { UInt16(exactly: $0) })
        #expect(receiver.redirectURI.absoluteString == "http://127.0.0.2:\(port)/back")
        let answer = try await RawClient.get(
            "/back?state=right", port: port, address: "127.0.0.2", host: "127.0.0.2:\(port)")
        #expect(RawClient.status(answer) == 303)
        await #expect(throws: (any Error).self) { try await RawClient.get("/", port: port, address: "127.0.0.1") }
        await receiver.close()
    }

    @Test("Rejects an address that is not this machine's", arguments: ["203.0.113.1", "1.2", "::ffff"])
    func strangeAddress(address: String) async throws {
        await #expect(throws: RedirectReceiverFailure.self) {
            try await open("http://localhost", MSALLoopbackListener(ports: 8400...8400, address: address))
        }
    }
}
