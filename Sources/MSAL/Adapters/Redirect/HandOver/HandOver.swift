import Foundation
import Glibc
import KeyturnSystem

/// Passes a URL that this process was opened with to the process of the same user that waits for it. Tries every
/// waiting sign-in; each accepts only a URL with its `state`.
struct HandOver {
    let folder: HandOverFolder
    let user: uid_t

    func offer(_ url: URL) async -> MSALHandOverOutcome {
        await withCheckedContinuation { continuation in
            // On its own thread, because it blocks.
            SystemThread.startOrRun { continuation.resume(returning: offerToEach(Array(url.absoluteString.utf8))) }
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

/// Both sides have to find the same folder, although the desktop starts one and a terminal the other.
struct HandOverFolder: Equatable {
    /// The folders to search. Sign-ins wait in the first usable one.
    let candidates: [String]

    init(candidates: [String]) { self.candidates = candidates }

    /// `isFolder`: the runtime folder is never created here, because it would hide the system's from a later login.
    init(
        environment: [String: String], user: uid_t = geteuid(),
        isFolder: (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }
    ) {
        let directories = XDGDirectories(environment: environment)
        let usual = "/run/user/\(user)"
        let runtime = [directories.runtime?.path(percentEncoded: false), isFolder(usual) ? "\(usual)/keyturn" : nil]
            .compactMap(\.self)
        // Without a login session: the specification asks for a private replacement.
        let all = runtime + [directories.state.appending(path: "run").path(percentEncoded: false)]
        candidates = all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    static let suffix = ".socket"

    /// Returns the folder to wait in, creating it if necessary. Throws the error for the last candidate.
    func prepare() throws(PrivateFile.Failure) -> String {
        var failure = CredentialStoreFailure(.io, reason: "There is no usable folder for sockets.")
        for folder in candidates {
            do { try PrivateFile.prepareFolder(folder) } catch {
                failure = error
                continue
            }
            return folder
        }
        throw failure
    }

    /// The sockets of waiting sign-ins, and those that killed processes left.
    func sockets() -> [String] {
        candidates.flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { $0.hasSuffix(Self.suffix) }.sorted().map { "\(folder)/\($0)" }
        }
    }
}
