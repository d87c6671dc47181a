import Glibc
import KeyturnSystem

/// The lock that programs of several vendors take on a shared cache: a file `<file>.lockfile` that exists while the
/// lock is held. Some programs create the file, others use `flock` on it, so this does both. The holder writes its
/// process ID and name into the file and removes it at the end. A lock of a dead process is taken over.
final class SharedCacheLock {
    struct Patience: Sendable {
        var seconds = 30.0
        /// The time without a living holder after which a lock is taken over.
        var staleSeconds = 0.5
        /// The same for a file without a process ID, which its creator may be about to write.
        var namelessSeconds = 5.0
    }

    private static let pauseMicroseconds: UInt32 = 5_000
    private let path: String
    private let file: Int32

    /// Waits for the lock. Returns `nil` when the time is over.
    static func acquire(on path: String, patience: Patience) throws(PrivateFile.Failure) -> SharedCacheLock? {
        let lockPath = path + ".lockfile"
        var watch = StaleWatch(patience: patience)
        let deadline = MonotonicClock.seconds() + patience.seconds
        while true {
            if let lock = try SharedCacheLock(making: lockPath, deadline: deadline) { return lock }
            let now = MonotonicClock.seconds()
            if now > deadline { return nil }
            if watch.isStale(lockPath, at: now) { continue }
            ThreadPool.pause(microseconds: pauseMicroseconds)
        }
    }

    private init?(making path: String, deadline: Double) throws(PrivateFile.Failure) {
        let file = open(path, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            if errno == EEXIST { return nil }
            throw PrivateFile.failure("create", path)
        }
        // Another program may hold it briefly while checking whether it is stale, or longer if it uses only flock. The
        // latter removes the file at the end.
        while flock(file, LOCK_EX | LOCK_NB) != 0, MonotonicClock.seconds() <= deadline {
            let error = errno
            guard !FileLocks.saysAbsent(error) else {
                unlink(path)
                close(file)
                throw PrivateFile.noLocks(path, code: error)
            }
            ThreadPool.pause(microseconds: Self.pauseMicroseconds)
        }
        guard PrivateFile.stands(file, at: path), flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            return nil
        }
        let holder = Array("\(getpid()) keyturn".utf8)
        guard write(file, holder, holder.count) == holder.count else {
            let failure = PrivateFile.failure("write", path)
            unlink(path)
            close(file)
            throw failure
        }
        self.path = path
        self.file = file
    }

    deinit {
        // Unlink before unlocking, so that programs waiting in flock see that the file is gone and create a new one.
        if PrivateFile.stands(file, at: path) { unlink(path) }
        close(file)
    }

    static func holder(on path: String) -> RunningProcess? {
        let file = open(path + ".lockfile", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard let holder = StaleWatch.holder(file), StaleWatch.isRunning(holder) else { return nil }
        return RunningProcess(id: holder)
    }
}

/// Watches a lock file and removes it when it had no living holder for long enough.
private struct StaleWatch {
    let patience: SharedCacheLock.Patience
    var seen: (identity: PrivateFile.Identity, since: Double)?

    /// Whether the file was stale and has been removed.
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
        // A program with the flock is alive, and only the holder of the flock may remove the file.
        guard now - seen.since >= wait, flock(file, LOCK_EX | LOCK_NB) == 0, PrivateFile.stands(file, at: path) else {
            return false
        }
        return unlink(path) == 0
    }

    /// Excludes this process, whose ID may have belonged to a dead one; its own locks show by flock.
    private static func isAlive(_ holder: pid_t?) -> Bool {
        guard let holder, holder != getpid() else { return false }
        return isRunning(holder)
    }

    static func isRunning(_ process: pid_t) -> Bool { kill(process, 0) == 0 || errno != ESRCH }

    static func holder(_ file: Int32) -> pid_t? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let digits = bytes.prefix(count).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return pid_t(String(decoding: digits, as: UTF8.self)).flatMap { $0 > 0 ? $0 : nil }
    }
}
