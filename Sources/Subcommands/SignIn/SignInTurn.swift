import CSystem
import Foundation
import KeyturnSystem
import MSAL

/// Lets one process sign in for all that need the same token. The others wait, then use the cache.
/// Locks a file in `$XDG_RUNTIME_DIR/keyturn` or `$XDG_STATE_HOME/keyturn`. The kernel releases the lock with the process.
struct SignInTurn: Sendable {
    /// Seconds to wait for a user who signs in.
    static let patience = MSALInteractiveTokenParameters.defaultResponseTimeout

    private let file: String
    private let limit: Double

    init(profile: Profile, scopes: [String], environment: [String: String], limit: Double = patience) {
        let wish = [profile.clientID, profile.authority.absoluteString] + scopes.sorted()
        self.init("sign-in", wish, environment, limit)
    }

    /// One turn for each authority where this program registers itself: its resources share the registration and its port.
    init(registrationAt issuer: String, environment: [String: String]) {
        self.init("registration", [issuer], environment, Self.patience)
    }

    /// One turn for each configuration and choice of accounts, for which `keyturn watch` never waits.
    init(watching accounts: [String], environment: [String: String]) { self.init("watch", accounts, environment, 0) }

    private init(_ kind: String, _ wish: [String], _ environment: [String: String], _ limit: Double) {
        let name = wish.joined(separator: " ").addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        let folder = BaseDirectory.runtime(in: environment) + "/keyturn"
        // A file name has at most 255 bytes. Requests with the same first 200 wait for one another, without harm.
        file = "\(folder)/\(kind)-\((name ?? "").prefix(200)).lock"
        self.limit = limit
    }

    var holder: TurnHolder? {
        guard let descriptor = FileLocks.open(file) else { return nil }
        defer { close(descriptor) }
        return TurnHolder(keyturn_lock_holder(descriptor, 0))
    }

    /// Whether the last sign-in has failed, rather than that its process was interrupted or ended.
    var hasFailed: Bool { ((try? PlainFile.read(file, atMost: 1)) ?? []).isEmpty == false }

    /// Runs `body` when no other process signs in. Calls `waiting` before the first wait. Throws when the other process takes
    /// too long.
    func run<Value: Sendable>(
        waiting: () throws -> Void, _ body: (_ hasWaited: Bool) async throws -> Value
    ) async throws -> Value {
        // Without a lock file, each process signs in by itself.
        guard let descriptor = FileLocks.open(file) else { return try await body(false) }
        defer { close(descriptor) }
        var wait = TurnWait(limit: limit)
        while keyturn_lock_byte(descriptor, 0) == EAGAIN {
            if wait.waited == 0 { try waiting() }
            let holder = TurnHolder(keyturn_lock_holder(descriptor, 0))
            guard let pause = wait.next(holder) else { throw Self.heldUp(by: holder, wait.waited) }
            try await sleep(for: .seconds(pause))
        }
        keyturn_lock_name_holder(descriptor, 0)
        if wait.waited == 0 { ftruncate(descriptor, 0) }
        do { return try await body(wait.waited > 0) } catch {
            if !Task.isCancelled { pwrite(descriptor, "-", 1, 0) }
            throw error
        }
    }

    private static func heldUp(by holder: TurnHolder?, _ seconds: Double) -> Failure {
        let name = holder?.name ?? "Another keyturn process"
        let description =
            holder?.isStopped == true
            ? "\(name) is suspended while it signs in."
            : "\(name) has been signing in for \(Int(seconds / 60)) minutes."
        return Failure(.network, name: "signInHeldUp", description, nextStep: TurnHolder.remedy(holder))
    }
}
