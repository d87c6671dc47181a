import CFileLock
import Foundation
import Glibc
import POSIX
import Tasks

/// Lets one process sign the person in for all that want the same: the others wait, and then look into the cache.
///
/// A file in `$XDG_RUNTIME_DIR/keyturn` is locked meanwhile, else one in `$XDG_STATE_HOME/keyturn`. The kernel ends the
/// lock with the process.
struct SignInTurn: Sendable {
    private let folder: String
    private let file: String

    /// Those that want the same: the same application at the same authority, for the same scopes.
    init(profile: Profile, scopes: [String], environment: [String: String]) {
        let wish = [profile.clientID, profile.authority.absoluteString] + scopes.sorted()
        let name = wish.joined(separator: " ").addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        folder = BaseDirectory.runtime(in: environment) + "/keyturn"
        // A file's name has at most 255 bytes. Two wishes that share so much wait for one another, and no more.
        file = "\(folder)/sign-in-\((name ?? "").prefix(200)).lock"
    }

    /// Runs `body` when nobody else signs in. Its argument tells whether this had to wait for somebody; `waiting` is called
    /// before.
    func take<Value: Sendable>(
        waiting: () -> Void, _ body: (_ hasWaited: Bool) async throws -> Value
    ) async throws -> Value {
        // Without a place for the file each signs in for itself: that is more windows, and no harm.
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
        let descriptor = Glibc.open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        return descriptor < 0 ? nil : descriptor
    }
}
