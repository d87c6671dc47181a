import Foundation
import Glibc
import KeyturnSystem

/// Passes a URL that this process was opened with to the process of the same user that waits for it.
///
/// Tries every waiting sign-in; each accepts only a URL with its `state`.
struct HandOver {
    let folder: HandOverFolder
    /// The user whose processes may receive the URL.
    let user: uid_t

    func offer(_ url: URL) async -> MSALHandOverOutcome {
        await withCheckedContinuation { continuation in
            // On its own thread, because it blocks.
            SystemThread.startOrRun {
                continuation.resume(returning: offerToEach(Array(url.absoluteString.utf8)))
            }
        }
    }

    private func offerToEach(_ message: [UInt8]) -> MSALHandOverOutcome {
        var outcomes: [MSALHandOverOutcome] = []
        for path in folder.sockets() {
            outcomes.append(offer(message, at: path))
            if outcomes.last == .delivered { break }
        }
        return Self.summary(of: outcomes)
    }

    /// The most informative of several outcomes.
    static func summary(of outcomes: [MSALHandOverOutcome]) -> MSALHandOverOutcome {
        MSALHandOverOutcome.allCases.first(where: outcomes.contains) ?? .noWaitingSignIn
    }

    private func offer(_ message: [UInt8], at path: String) -> MSALHandOverOutcome {
        do throws(LocalSocket.Failure) {
            let socket = try LocalSocket.connect(to: path)
            guard try socket.peer() == user else { return .noWaitingSignIn }
            try socket.send(message)
            let reply = String(decoding: try socket.receive(atMost: 64), as: UTF8.self)
            // Closed without a response, because the sign-in just ended.
            return reply.isEmpty ? .noWaitingSignIn : MSALHandOverOutcome(rawValue: reply) ?? .noResponse
        } catch {
            // A killed process left the socket.
            if error.code == ECONNREFUSED { unlink(path) }
            return error.code == EAGAIN ? .noResponse : .noWaitingSignIn
        }
    }
}
