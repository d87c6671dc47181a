import CFileLock
import Foundation
import Glibc
import POSIX
import Tasks

/// Lets one process sign in for all that need the same token. The others wait, then use the cache.
///
/// Locks a file in `$XDG_RUNTIME_DIR/keyturn` or `$XDG_STATE_HOME/keyturn`. The kernel releases the lock with the process.
struct SignInTurn: Sendable {
    private let folder: String
    private let file: String

    /// One turn for each application, authority and set of scopes.
    init(profile: Profile, scopes: [String], environment: [String: String]) {
        let wish = [profile.clientID, profile.authority.absoluteString] + scopes.sorted()
        self.init("sign-in", wish, environment)
    }

    /// One turn for each authority where this program registers itself: its resources share the registration and its port.
    init(registrationAt issuer: String, environment: [String: String]) {
        self.init("registration", [issuer], environment)
    }

    private init(_ kind: String, _ wish: [String], _ environment: [String: String]) {
        let name = wish.joined(separator: " ").addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        folder = BaseDirectory.runtime(in: environment) + "/keyturn"
        // A file name has at most 255 bytes. Requests with the same first 200 wait for one another, without harm.
        file = "\(folder)/\(kind)-\((name ?? "").prefix(200)).lock"
    }

    /// Runs `body` when no other process signs in. Calls `waiting` before the first wait.
    func take<Value: Sendable>(
        waiting: () -> Void, _ body: (_ hasWaited: Bool) async throws -> Value
    ) async throws -> Value {
        // Without a lock file, each process signs in by itself.
        guard let descriptor = open() else { return try await body(false) }
        defer { close(descriptor) }
        var hasWaited = false
        while keyturn_lock_byte(descriptor, 0) == EAGAIN {
            if !hasWaited { waiting() }
            hasWaited = true
            try await sleep(for: .milliseconds(100))
        }
        return try await body(hasWaited)
    }

    private func open() -> Int32? {
        try? PrivateFolder.make(folder)
        // Another user could hold the lock.
        guard FileTrust.distrust(of: folder) == nil else { return nil }
        let descriptor = Glibc.open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        return descriptor < 0 ? nil : descriptor
    }
}
