import Foundation
import Glibc
import KeyturnSystem
import OAuthCore

/// Receives the response at a URL that the desktop opens a program with: a custom scheme or an https link (RFC 8252
/// §7.1, §7.2). A new process passes the URL on through the sign-in's own socket, which accepts only the same user.
struct SchemeReceiver: RedirectReceiver {
    let folder: HandOverFolder
    let user: uid_t

    func open(
        _ redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool
    ) async throws(RedirectReceiverFailure) -> any OpenRedirectReceiver {
        let path: String
        do { path = "\(try folder.prepare())/\(UUID().uuidString.prefix(8))\(HandOverFolder.suffix)" } catch {
            throw RedirectReceiverFailure(reason: error.reason)
        }
        let socket: LocalSocket
        do { socket = try LocalSocket.listen(at: path) } catch {
            throw RedirectReceiverFailure(reason: "Can't create a socket at \(path): \(error.reason).")
        }
        let desk = HandOverDesk(redirect: redirect, deliver: deliver)
        do { try SystemThread.start { [user] in Self.serve(socket, desk, user) } } catch {
            unlink(path)
            throw RedirectReceiverFailure(reason: "Can't wait for the response: \(error.reason).")
        }
        return OpenSchemeReceiver(redirectURI: redirect.url, path: path, socket: socket)
    }

    private static func serve(_ socket: LocalSocket, _ desk: HandOverDesk, _ user: uid_t) {
        while let connection = try? socket.accept() {
            // Ignore a process that disconnects early.
            try? respond(connection, desk, user)
        }
    }

    private static func respond(
        _ connection: LocalSocket, _ desk: HandOverDesk, _ user: uid_t
    ) throws(LocalSocket.Failure) {
        guard try connection.peer() == user else { return }
        let message = try connection.receive(atMost: HandOverDesk.mostBytes)
        guard !message.isEmpty else { return }
        try connection.send(Array(desk.reply(to: message).rawValue.utf8))
    }
}

private struct OpenSchemeReceiver: OpenRedirectReceiver {
    let redirectURI: URL
    let path: String
    let socket: LocalSocket

    func close() async {
        unlink(path)
        socket.shutDown()
    }
}

final class HandOverDesk: Sendable {
    /// The maximum length. A URL with a code has at most a few thousand bytes.
    static let mostBytes = 64 << 10

    private let redirect: RedirectURI
    private let deliver: @Sendable (URL) -> Bool
    private let received = Locked<String?>(nil)

    init(redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool) {
        self.redirect = redirect
        self.deliver = deliver
    }

    func reply(to message: [UInt8]) -> MSALHandOverOutcome {
        guard let text = String(validating: message, as: UTF8.self), let url = URL(string: text),
            redirect.accepts(url)
        else { return .otherURL }
        let state = AuthorizationResponse.parameters(of: url)["state"] ?? ""
        // Under the lock, so that only one of two simultaneous responses is first.
        return received.withLock { received in
            if deliver(url) {
                received = state
                return .delivered
            }
            return received == state ? .alreadyReceived : .otherSignIn
        }
    }
}
