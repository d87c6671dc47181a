import Foundation
import Glibc
import KeyturnSystem
import OAuthCore

/// Receives the authorization response at a URL that the desktop opens a program with: a custom scheme or an https link
/// (RFC 8252 §7.1, §7.2).
///
/// The desktop starts a new process, which passes the URL on through a socket. Each waiting sign-in has its own socket,
/// and accepts only processes of the same user.
struct SchemeReceiver: RedirectReceiver {
    let folder: HandOverFolder
    /// The user whose processes are accepted.
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

    /// Serves connections one at a time until the socket is shut down.
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
