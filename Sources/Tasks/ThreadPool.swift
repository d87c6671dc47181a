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

    /// The pool of a library in a program that has brought none. `nil`: the process can open nothing more.
    private static let ofLibrary: ThreadPool? = try? ThreadPool(threads: 0)

    private struct State {
        var jobs: [UnownedJob] = []
        var threads: Int
        /// Threads that wait and that no signal is on its way to.
        var idle: Int
        /// `main` has ended.
        var isOver = false
    }

    /// Some jobs wait for the disk.
    private static let mostThreads = 4

    private let state: Locked<State>
    private let work: WakeUp
    let sleepers: Sleepers

    /// Fails when the process can open nothing more.
    ///
    /// - Parameter threads: number of threads that are there already.
    private init(threads: Int) throws(WakeUpFailure) {
        state = Locked(State(threads: threads, idle: threads))
        work = try WakeUp()
        sleepers = Sleepers(clock: try WakeUp())
    }

    /// Runs `main` on a pool of its own until it ends. The thread that calls it is the first of the pool's: a program that
    /// does one thing after the other needs no second one. When `main` ends elsewhere, this returns after the job that its
    /// thread is at; a program that cannot wait for that exits in `main`.
    package static func run<Value: Sendable>(
        _ main: @escaping @Sendable () async -> Value
    ) throws(WakeUpFailure) -> Value {
        // The thread that calls this.
        let pool = try ThreadPool(threads: 1)
        let result = Locked<Value?>(nil)
        Task(executorPreference: pool) {
            let value = await $current.withValue(pool) { await main() }
            result.withLock { $0 = value }
            pool.state.withLock { $0.isOver = true }
            pool.work.signal()
        }
        while true {
            pool.waitForWork()
            if let value = result.withLock(\.self) {
                // For the others, who end as well.
                pool.work.signal()
                return value
            }
            pool.runJobs()
        }
    }

    /// Where tasks that may wait for the disk hold up no thread of the program.
    package static var forBlocking: ThreadPool? { current ?? ofLibrary }

    /// Runs work that may wait for the disk or for another process's lock where it holds up no thread of the program: on
    /// the pool of the task, else on the library's own.
    package nonisolated(nonsending) static func runBlocking<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard current == nil, let pool = ofLibrary else { return try await leavingActor(work) }
        return try await withTaskExecutorPreference(pool) {
            try await $current.withValue(pool) { try await leavingActor(work) }
        }
    }

    /// An actor's work stays on the actor's executor whatever the task prefers.
    @concurrent
    private static func leavingActor<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value { try await work() }

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
        if starts { Thread.detachNewThread { [self] in live() } }
    }

    /// The life of a thread that was started. It ends with `main`; what is left then is not run.
    private func live() {
        while !state.withLock(\.isOver) {
            runJobs()
            waitForWork()
        }
        // The signal of the end goes from one to the next, also to the thread that runs the pool.
        work.signal()
    }

    /// Runs what there is. Afterwards the thread counts as waiting.
    private func runJobs() {
        while let job = nextJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func nextJob() -> UnownedJob? {
        state.withLock { state in
            guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
            state.idle += 1
            return nil
        }
    }

    private func waitForWork() {
        while !work.take() { work.wait() }
    }
}
