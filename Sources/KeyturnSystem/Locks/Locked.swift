import Foundation

/// A value that one thread can access at a time, with the contract of the standard library's `Mutex`, whose lock is invisible
/// to the thread sanitizer on Linux and causes false reports (`Tests/Sanitizers/mutex-is-reported.swift`). It supports `NSLock`.
///
/// `@unchecked Sendable` because the value is accessed only under the lock.
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: consuming sending Value) { self.value = value }

    /// Not reentrant.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// Returns `nil` when another thread has the lock.
    package func withLockIfAvailable<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard lock.try() else { return nil }
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// Replaces a value under its lock, and returns the former one: the one caller that finds `true` or `false` is the first.
package func replace<Value>(_ place: inout Value, with new: Value) -> Value {
    defer { place = new }
    return place
}
