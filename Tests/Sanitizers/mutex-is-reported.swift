// The reason for `Locked`: `swiftc -sanitize=thread` reports a "Swift access race" for this file, though the lock is
// held.
import Dispatch
import Synchronization

final class Counter: Sendable {
    private let count = Mutex([0])
    func increment() { count.withLock { $0[0] += 1 } }
}

let counter = Counter()
DispatchQueue.concurrentPerform(iterations: 4) { _ in for _ in 0..<20_000 { counter.increment() } }
