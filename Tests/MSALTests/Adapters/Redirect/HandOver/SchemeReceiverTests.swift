import Foundation
import Glibc
import KeyturnSystem
import OAuthCore
import Testing

@testable import MSAL

/// Takes responses with its `state`, and records everything it was given.
private final class Recipient: Sendable {
    private let state: String
    private let given = Locked<[String]>([])

    init(state: String = "right") { self.state = state }

    func take(_ url: URL) -> Bool {
        given.withLock { $0.append(url.absoluteString) }
        return url.query()?.contains("state=\(state)") == true
    }

    var urls: [String] { given.withLock { $0 } }
}

@Suite("URLs that the desktop opens")
struct SchemeReceiverTests {
    private let folder = try? TemporaryFolder()

    private func place() throws -> HandOverFolder {
        let folder = try #require(folder)
        return HandOverFolder(environment: ["XDG_RUNTIME_DIR": folder.url.path], isFolder: { _ in false })
    }

    private func open(
        for recipient: Recipient, at address: String = "msauth.org.keyturn.app://auth", user: uid_t = geteuid()
    ) async throws -> any OpenRedirectReceiver {
        let url = try #require(URL(string: address))
        let kind: RedirectURI.Kind = address.hasPrefix("https") ? .httpsLink : .customScheme
        return try await SchemeReceiver(folder: place(), user: user).open(
            RedirectURI(url: url, kind: kind, isBrokerCapable: true)
        ) { recipient.take($0) }
    }

    private func offer(_ address: String, as user: uid_t = geteuid()) async throws -> MSALHandOverOutcome {
        await HandOver(folder: try place(), user: user).offer(try #require(URL(string: address)))
    }

    @Test("Reach the waiting sign-in, once")
    func once() async throws {
        let recipient = Recipient()
        let receiver = try await open(for: recipient)
        #expect(receiver.redirectURI.absoluteString == "msauth.org.keyturn.app://auth")
        let address = "msauth.org.keyturn.app://auth?code=a%20b&state=right"
        #expect(try await offer("msauth.org.keyturn.app://auth?code=1&state=guessed") == .otherSignIn)
        #expect(try await offer(address) == .delivered)
        #expect(recipient.urls.last == address)
        await receiver.close()
    }

    @Test("Are rejected the second time")
    func second() async throws {
        let state = Locked("right")
        let url = try #require(URL(string: "msauth.org.keyturn.app://auth"))
        let receiver = try await SchemeReceiver(folder: place(), user: geteuid()).open(
            RedirectURI(url: url, kind: .customScheme, isBrokerCapable: true)
        ) { url in
            // As in a sign-in, which takes one response.
            state.withLock { state in
                defer { if url.query()?.contains("state=right") == true { state = "" } }
                return !state.isEmpty && url.query()?.contains("state=\(state)") == true
            }
        }
        #expect(try await offer("msauth.org.keyturn.app://auth?code=1&state=right") == .delivered)
        #expect(try await offer("msauth.org.keyturn.app://auth?code=1&state=right") == .alreadyReceived)
        #expect(try await offer("msauth.org.keyturn.app://auth?code=2&state=other") == .otherSignIn)
        await receiver.close()
    }

    @Test(
        "Of other schemes and hosts are ignored",
        arguments: [
            "https://contoso.example/?state=right", "msauth.org.other://auth?state=right",
            "msauth.org.keyturn.app://elsewhere?state=right", "javascript:alert(1)",
        ])
    func foreign(address: String) async throws {
        let recipient = Recipient()
        let receiver = try await open(for: recipient)
        #expect(try await offer(address) == .otherURL)
        #expect(recipient.urls.isEmpty)
        await receiver.close()
    }

    @Test("Find their own sign-in among several")
    func several() async throws {
        let recipients = (0..<4).map { Recipient(state: "s\($0)") }
        var receivers: [any OpenRedirectReceiver] = []
        for recipient in recipients { receivers.append(try await open(for: recipient)) }
        receivers.append(try await open(for: Recipient(), at: "https://app.contoso.example/auth"))
        #expect(try await offer("msauth.org.keyturn.app://auth?code=1&state=s2") == .delivered)
        #expect(recipients[2].urls == ["msauth.org.keyturn.app://auth?code=1&state=s2"])
        #expect(try await offer("https://app.contoso.example/auth?state=right") == .delivered)
        #expect(try await offer("msauth.org.keyturn.app://auth?code=1&state=none") == .otherSignIn)
        for receiver in receivers { await receiver.close() }
    }

    @Test("Report that no sign-in waits: before, after, and with a socket left by a killed process")
    func nothingWaits() async throws {
        let address = "msauth.org.keyturn.app://auth?state=right"
        #expect(try await offer(address) == .noWaitingSignIn)
        let receiver = try await open(for: Recipient())
        await receiver.close()
        #expect(try await offer(address) == .noWaitingSignIn)
        let left = try place().prepare() + "/left\(HandOverFolder.suffix)"
        _ = try LocalSocket.listen(at: left)
        #expect(try place().sockets() == [left])
        #expect(try await offer(address) == .noWaitingSignIn)
        #expect(try place().sockets() == [])
    }

    @Test("Another user's process gets no response and no URL")
    func otherUsers() async throws {
        let recipient = Recipient()
        let address = "msauth.org.keyturn.app://auth?state=right"
        let stranger = geteuid() &+ 1
        let receiver = try await open(for: recipient, user: stranger)
        #expect(try await offer(address) == .noWaitingSignIn)
        await receiver.close()
        let own = try await open(for: recipient)
        #expect(try await offer(address, as: stranger) == .noWaitingSignIn)
        #expect(recipient.urls.isEmpty)
        #expect(try await offer(address) == .delivered)
        await own.close()
    }

    @Test("The socket belongs to its owner alone, and is deleted afterwards")
    func privacy() async throws {
        let receiver = try await open(for: Recipient())
        let folder = try #require(folder)
        let socket = try #require(try place().sockets().first)
        #expect(try folder.permissions("keyturn") == 0o700)
        #expect(try folder.permissions("keyturn/" + URL(filePath: socket).lastPathComponent) == 0o600)
        await receiver.close()
        #expect(try place().sockets() == [])
    }

    @Test("A folder that other users can enter is not used")
    func unsafeFolder() async throws {
        let folder = try #require(folder)
        try FileManager.default.createDirectory(
            at: folder.file("keyturn"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o777])
        let only = try place().candidates.prefix(1)
        #expect(throws: PrivateFile.Failure.self) { try HandOverFolder(candidates: Array(only)).prepare() }
    }

    @Test("Garbage on the socket changes nothing")
    func junk() async throws {
        let recipient = Recipient()
        let receiver = try await open(for: recipient)
        let path = try #require(try place().sockets().first)
        let junk: [[UInt8]] = [
            [0], [0xFF, 0xFE], Array(repeating: UInt8(ascii: "a"), count: HandOverDesk.mostBytes + 1),
            Array("msauth.org.keyturn.app://auth?state=right\u{0}".utf8.map { $0 | 0x80 }),
        ]
        for message in junk {
            let socket = try LocalSocket.connect(to: path)
            try socket.send(message)
            let reply = String(decoding: try socket.receive(atMost: 64), as: UTF8.self)
            #expect(["", MSALHandOverOutcome.otherURL.rawValue].contains(reply))
        }
        // Connections that close without sending anything.
        for _ in 0..<50 { _ = try LocalSocket.connect(to: path) }
        #expect(recipient.urls.isEmpty)
        #expect(try await offer("msauth.org.keyturn.app://auth?state=right") == .delivered)
        await receiver.close()
    }

    @Test("A silent connection does not delay the others")
    func silent() async throws {
        let receiver = try await open(for: Recipient())
        let mute = try LocalSocket.connect(to: try #require(try place().sockets().first))
        let outcome = try await offer("msauth.org.keyturn.app://auth?state=right")
        #expect([.delivered, .noResponse].contains(outcome))
        withExtendedLifetime(mute) {}
        await receiver.close()
    }

    @Test("The most specific response is the summary")
    func summary() {
        #expect(HandOver.summary(of: []) == .noWaitingSignIn)
        #expect(HandOver.summary(of: [.noWaitingSignIn, .otherURL, .otherSignIn]) == .otherSignIn)
        #expect(HandOver.summary(of: [.otherSignIn, .delivered]) == .delivered)
        #expect(HandOver.summary(of: [.noWaitingSignIn, .noResponse, .otherURL]) == .otherURL)
    }

    @Test("Both sides use the session's socket folder, however they were started")
    func folders() {
        let login = ["XDG_RUNTIME_DIR": "/run/user/7", "HOME": "/home/ada"]
        #expect(
            HandOverFolder(environment: login, user: 7) { _ in true }.candidates
                == ["/run/user/7/keyturn", "/home/ada/.local/state/keyturn/run"])
        #expect(
            HandOverFolder(environment: ["HOME": "/home/ada"], user: 7) { $0 == "/run/user/7" }.candidates
                == ["/run/user/7/keyturn", "/home/ada/.local/state/keyturn/run"])
        #expect(
            HandOverFolder(environment: ["HOME": "/home/ada"], user: 7) { _ in false }.candidates
                == ["/home/ada/.local/state/keyturn/run"])
    }
}
