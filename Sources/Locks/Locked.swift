import Foundation

/// A value that one thread at a time may use. The same contract as the standard library's `Mutex`.
///
/// That one is not used, because the thread sanitizer cannot see it: on Linux its lock is made of system calls inside an
/// uninstrumented library, so that every value behind it that two threads use is reported as a race, real or not
/// (`Tests/Sanitizers/mutex-is-reported.swift` shows it). The sanitizer knows the POSIX mutex under `NSLock`.
///
/// Unchecked, because the compiler cannot see that the value is only reached under the lock.
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: consuming sending Value) {
        self.value = value
    }

    /// What `body` makes of the value. It must not ask for the same lock again.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// The same, without waiting; `nil` when another thread has the lock.
    package func withLockIfAvailable<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard lock.try() else { return nil }
        defer { lock.unlock() }
        return try body(&value)
    }
}
