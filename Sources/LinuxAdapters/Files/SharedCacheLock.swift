import Glibc

/// The lock that programs of several makers take on a file they share: a file beside it, `<file>.lockfile`, that exists
/// while somebody has the lock.
///
/// Some take it by making the file, others by `flock` on it, so this does both; each writes its process ID and name into
/// it and removes it at the end. One that a dead process left behind is taken over.
final class SharedCacheLock {
    struct Patience: Sendable {
        /// How long to wait altogether.
        var seconds = 30.0
        /// How long a lock has to have been seen without a living holder before it is taken over.
        var staleSeconds = 0.5
        /// The same for a file that does not say who holds it: its maker may be about to write it.
        var namelessSeconds = 5.0
    }

    private static let pauseMicroseconds: UInt32 = 5_000
    private let path: String
    private let file: Int32

    /// Waits until it has the lock; `nil` when patience is at an end.
    static func take(on path: String, patience: Patience) throws(PrivateFile.Failure) -> SharedCacheLock? {
        let lockPath = path + ".lockfile"
        var watch = StaleWatch(patience: patience)
        let deadline = monotonicSeconds() + patience.seconds
        while true {
            if let lock = try SharedCacheLock(making: lockPath, deadline: deadline) { return lock }
            let now = monotonicSeconds()
            if now > deadline { return nil }
            if watch.isStale(lockPath, at: now) { continue }
            usleep(pauseMicroseconds)
        }
    }

    /// `nil`: somebody has it.
    private init?(making path: String, deadline: Double) throws(PrivateFile.Failure) {
        let file = open(path, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            if errno == EEXIST { return nil }
            throw PrivateFile.failure(path, "made")
        }
        // Taken for a moment by somebody who looks whether it is stale, or for longer by somebody who takes this lock by
        // flock alone; that one removes the file at the end.
        while flock(file, LOCK_EX | LOCK_NB) != 0, Self.monotonicSeconds() <= deadline {
            usleep(Self.pauseMicroseconds)
        }
        guard PrivateFile.stands(file, at: path), flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            return nil
        }
        let holder = Array("\(getpid()) keyturn".utf8)
        guard write(file, holder, holder.count) == holder.count else {
            let failure = PrivateFile.failure(path, "written")
            unlink(path)
            close(file)
            throw failure
        }
        self.path = path
        self.file = file
    }

    deinit {
        // First the name, then the lock: whoever waits by flock then sees that the file is gone, and makes a new one.
        if PrivateFile.stands(file, at: path) { unlink(path) }
        close(file)
    }

    private static func monotonicSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Looks at a lock file again and again, and removes it when nobody has held it for long enough.
private struct StaleWatch {
    let patience: SharedCacheLock.Patience
    private var seen: (identity: PrivateFile.Identity, since: Double)?

    init(patience: SharedCacheLock.Patience) {
        self.patience = patience
    }

    /// Whether it was stale, and is gone now.
    mutating func isStale(_ path: String, at now: Double) -> Bool {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        let holder = Self.holder(file)
        guard let identity = PrivateFile.openIdentity(file), !Self.isAlive(holder) else {
            seen = nil
            return false
        }
        guard let seen, seen.identity == identity else {
            seen = (identity, now)
            return false
        }
        let wait = holder == nil ? patience.namelessSeconds : patience.staleSeconds
        // Whoever holds it by flock is alive after all, and whoever has the flock is the only one to remove it.
        guard now - seen.since >= wait, flock(file, LOCK_EX | LOCK_NB) == 0, PrivateFile.stands(file, at: path) else {
            return false
        }
        return unlink(path) == 0
    }

    /// A lock of this very process is told by its flock: its number may be a dead one's, given out again.
    private static func isAlive(_ holder: pid_t?) -> Bool {
        guard let holder, holder != getpid() else { return false }
        return kill(holder, 0) == 0 || errno != ESRCH
    }

    /// The process ID that the file begins with.
    private static func holder(_ file: Int32) -> pid_t? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let digits = bytes.prefix(count).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return pid_t(String(decoding: digits, as: UTF8.self)).flatMap { $0 > 0 ? $0 : nil }
    }
}
