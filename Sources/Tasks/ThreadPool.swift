import Foundation
import Locks

/// Where the program's tasks run (SE-0417): a few threads that wait for work, and for nothing else.
///
/// The runtime's own executor runs tasks on libdispatch, which on Linux wakes once a second for as long as the process
/// lives (docs/decisions/0023-idle-wake-up.md). A task prefers this pool when it is started with
/// `Task(executorPreference: ThreadPool.current)`; its children and the actors that it calls follow it.
package final class ThreadPool: TaskExecutor {
    /// The pool of the task that asks. None in a program that has not brought one: tasks run as the runtime likes.
    @TaskLocal package static var current: ThreadPool?

    private struct State {
        var jobs: [UnownedJob] = []
        var threads = 0
        /// Threads that wait and that nobody has woken yet.
        var idle = 0
    }

    /// Some jobs wait for the disk.
    private static let mostThreads = 4

    private let state = Locked(State())
    private let work: WakeUp
    let sleepers: Sleepers

    /// Fails when the process can open nothing more.
    private init() throws(WakeUpFailure) {
        work = try WakeUp()
        sleepers = Sleepers(clock: try WakeUp())
    }

    /// Runs `main` on a pool of its own until it ends. The thread that calls it wakes those who sleep.
    package static func run<Value: Sendable>(
        _ main: @escaping @Sendable () async -> Value
    ) throws(WakeUpFailure) -> Value {
        let pool = try ThreadPool()
        let result = Locked<Value?>(nil)
        Task(executorPreference: pool) {
            let value = await $current.withValue(pool) { await main() }
            result.withLock { $0 = value }
            pool.sleepers.clock.signal()
        }
        while true {
            if let value = result.withLock(\.self) { return value }
            pool.sleepers.wait()
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (wakes, starts) = state.withLock { state in
            state.jobs.append(job)
            let wakes = state.idle > 0
            let starts = !wakes && state.threads < Self.mostThreads
            if wakes { state.idle -= 1 }
            if starts { state.threads += 1 }
            return (wakes, starts)
        }
        if wakes { work.signal() }
        if starts { Thread.detachNewThread { [self] in runJobs() } }
    }

    /// The life of one thread; it ends with the process.
    private func runJobs() -> Never {
        while true {
            let job = state.withLock { state -> UnownedJob? in
                guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
                state.idle += 1
                return nil
            }
            if let job { job.runSynchronously(on: asUnownedTaskExecutor()) } else { waitForWork() }
        }
    }

    private func waitForWork() {
        while !work.take() { work.wait() }
    }
}
