import AuthEngine
import Foundation
import Glibc
import OAuthCore

/// Hands an address that this process was opened with to the process of the same user that waits for it.
///
/// Every sign-in that waits is asked; it knows its own `state`, so only the right one takes the address.
package struct HandOver: Sendable {
    private let folder: HandOverFolder
    private let user: uid_t

    package init(environment: [String: String]) {
        self.init(folder: HandOverFolder(environment: environment), user: geteuid())
    }

    /// - Parameter user: whose processes may be told the address.
    init(folder: HandOverFolder, user: uid_t) {
        self.folder = folder
        self.user = user
    }

    package func offer(_ url: URL) async -> MSALHandOverOutcome {
        await withCheckedContinuation { continuation in
            // It blocks, so it must not hold one of the few threads that tasks run on.
            Thread.detachNewThread { continuation.resume(returning: offerToEach(Array(url.absoluteString.utf8))) }
        }
    }

    private func offerToEach(_ message: [UInt8]) -> MSALHandOverOutcome {
        var outcomes: [MSALHandOverOutcome] = []
        for path in folder.sockets() {
            outcomes.append(offer(message, at: path))
            if outcomes.last == .taken { break }
        }
        return Self.summary(of: outcomes)
    }

    /// Of several answers the one that says most.
    static func summary(of outcomes: [MSALHandOverOutcome]) -> MSALHandOverOutcome {
        MSALHandOverOutcome.allCases.first(where: outcomes.contains) ?? .nobodyWaits
    }

    private func offer(_ message: [UInt8], at path: String) -> MSALHandOverOutcome {
        let socket: LocalSocket
        do throws(LocalSocket.Failure) {
            socket = try LocalSocket.connect(to: path)
        } catch {
            // Nobody listens there any more: it was left by a process that was killed.
            if error.code == ECONNREFUSED { unlink(path) }
            return error.code == EAGAIN ? .noAnswer : .nobodyWaits
        }
        defer { socket.close() }
        do throws(LocalSocket.Failure) {
            guard try socket.peer() == user else { return .nobodyWaits }
            try socket.send(message)
            let reply = String(decoding: try socket.receive(atMost: 64), as: UTF8.self)
            // Closed without an answer: its sign-in ended at this moment.
            return reply.isEmpty ? .nobodyWaits : MSALHandOverOutcome(rawValue: reply) ?? .noAnswer
        } catch {
            return error.code == EAGAIN ? .noAnswer : .nobodyWaits
        }
    }
}
