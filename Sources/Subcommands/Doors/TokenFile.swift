import Foundation
import KeyturnSystem
import MSAL
import TerminalUI

/// A file with a token, which is replaced before the token expires.
struct TokenFile: Sendable {
    let path: String
    let desk: TokenDesk
    @Boxed var demand: Demand
    let program: String
    /// Completes the commands in advice with the options of this one.
    let advise: @Sendable (String) -> String

    /// The pause after a failure.
    private static let pause: TimeInterval = 10

    /// Keeps the file while `work` runs or until it calls `close`, and deletes it then.
    func present<Value: Sendable>(
        in surroundings: Surroundings,
        _ work: @escaping @Sendable (_ close: @escaping @Sendable () -> Void) async throws -> Value
    ) async throws -> Value {
        guard FileVersion(at: path) == .none else { throw taken }
        let first = try await desk.token(for: demand).printed()
        try write(first, replaces: false)
        let own = Locked<FileVersion?>(FileVersion(at: path))
        let refreshes = Task(executorPreference: ThreadPool.current) {
            await refresh(after: first, own, in: surroundings)
        }
        let door = surroundings.list(.tokenFile, of: program, at: path)
        let close: @Sendable () -> Void = { [path] in
            refreshes.cancel()
            own.withLock { own in
                // Not a file that the program put in its place.
                if own == FileVersion(at: path) { unlink(path) }
                own = nil
            }
            door?.remove()
        }
        defer { close() }
        return try await work(close)
    }

    private func refresh(after first: PrintedToken, _ own: Locked<FileVersion?>, in surroundings: Surroundings) async {
        var last = first
        var isTold = false
        while let expiry = last.expiresOn, !Task.isCancelled {
            let left = expiry.timeIntervalSince(surroundings.now())
            let margin = TokenDesk.margin(ofLifetime: left)
            guard (try? await sleep(for: .seconds(isTold ? Self.pause : left - margin))) != nil else { return }
            do {
                var demand = demand
                demand.minimumValidity = margin + 1
                last = try await desk.token(for: demand, mayInteract: false).printed()
                try own.withLock { own in
                    guard own != nil else { throw CancellationError() }
                    guard own == FileVersion(at: path) else { throw taken }
                    try write(last, replaces: true)
                    own = FileVersion(at: path)
                }
                isTold = false
            } catch {
                if Task.isCancelled { return }
                if !isTold {
                    surroundings.tell(advise("The token in the file wasn't renewed. \(Failure(reporting: error).text)"))
                }
                isTold = true
            }
        }
    }

    private var taken: Failure {
        Failure(
            .failed, name: "tokenFile",
            "\(Printable.sanitize(path)) already exists, or is no longer this command's file.",
            nextStep: "Remove it, or choose another name.")
    }

    /// Readers see the old token or the new one, never a part.
    private func write(_ token: PrintedToken, replaces: Bool) throws {
        do throws(POSIXError) {
            try DurableFile.write(Array(token.text.utf8), to: path, replaces: replaces, syncsName: false)
        } catch  where error.code == .EEXIST {
            throw taken
        } catch {
            throw Failure(
                .failed, name: "tokenFile",
                "Can't write \(Printable.sanitize(path)): \(systemReason(error.code.rawValue)).",
                nextStep: "Choose a file in a folder of your own, for example in $XDG_RUNTIME_DIR.")
        }
    }
}
