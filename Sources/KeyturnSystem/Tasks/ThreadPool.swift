import Glibc

/// The executor of the program's tasks (SE-0417): a few threads that do nothing but wait for work.
///
/// Swift's default executor uses libdispatch, which on Linux wakes once a second for the whole process
/// (docs/decisions/0023). Start tasks with `Task(executorPreference: ThreadPool.current)`; their child
/// tasks and the actors they call inherit the pool.
package final class ThreadPool: TaskExecutor {
    /// The current task's pool, or `nil` in a program without one, whose tasks use the default executor.
    @TaskLocal package static var current: ThreadPool?

    /// For programs without a pool, and for the program's work beside its loop. `nil` at a limit of the system.
    private static let ofLibrary: ThreadPool? = {
        guard let pool = try? ThreadPool(threads: 1) else { return nil }
        // The started thread looks for jobs before it waits.
        pool.state.withLock { $0.idle = 0 }
        return pool.startThread() ? pool : nil
    }()

    private struct State {
        var jobs: [UnownedJob] = []
        var threads: Int
        /// Waiting threads that haven't been signalled.
        var idle: Int
        /// Threads that sleep in ``pause(microseconds:)``.
        var paused = 0
        var isOver = false

        var mayStart: Bool { threads - min(paused, ThreadPool.mostReplaced) < ThreadPool.mostThreads }
    }

    /// More than one, because some jobs wait for the disk.
    private static let mostThreads = 4
    private static let mostReplaced = 60

    private let state: Locked<State>
    private let work: WakeUp
    let sleepers: Sleepers

    /// - Parameter threads: the number of existing threads that will run jobs.
    private init(threads: Int) throws(WakeUpFailure) {
        state = Locked(State(threads: threads, idle: threads))
        work = try WakeUp()
        sleepers = Sleepers(clock: try WakeUp())
    }

    /// Runs `main` on a new pool. The calling thread is the pool's first, so a sequential program needs no other. If `main` ends
    /// on another thread, this returns after the calling thread's current job. A program that can't wait for that exits in `main`.
    package static func run<Value: Sendable>(
        _ main: @escaping @Sendable () async -> Value
    ) throws(WakeUpFailure) -> Value {
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
                // Wake the other threads so that they end.
                pool.work.signal()
                return value
            }
            pool.runJobs()
        }
    }

    /// Starts work that may occupy a thread for long, besides the caller's pool, so that a loop there always finds a thread.
    package static func startWork(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        guard current != nil, let pool = ofLibrary else { return Task(executorPreference: current) { await work() } }
        return Task(executorPreference: pool) { await $current.withValue(pool) { await work() } }
    }

    /// For tasks that may wait for the disk.
    package static var forBlocking: ThreadPool? { current ?? ofLibrary }

    /// Runs work that may wait for the disk or another process's lock, on the task's pool or else the library's.
    package nonisolated(nonsending) static func runBlocking<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard current == nil, let pool = ofLibrary else { return try await leavingActor(work) }
        return try await withTaskExecutorPreference(pool) {
            try await $current.withValue(pool) { try await leavingActor(work) }
        }
    }

    /// Leaves the actor, whose work would otherwise stay on the actor's executor.
    @concurrent
    private static func leavingActor<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value { try await work() }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (wakes, starts) = state.withLock { state in
            state.jobs.append(job)
            let wakes = state.idle > 0
            let starts = !wakes && state.mayStart
            if wakes { state.idle -= 1 }
            if starts { state.threads += 1 }
            return (wakes, starts)
        }
        if wakes { work.signal() }
        if starts { startCounted() }
    }

    /// Sleeps on the calling thread while another process acts, for example with a lock. Another thread runs the pool's jobs
    /// meanwhile, so that any number of such waits holds up no other work.
    package static func pause(microseconds: UInt32) {
        guard let pool = current else { return _ = usleep(microseconds) }
        let starts = pool.state.withLock { state in
            state.paused += 1
            let starts = !state.jobs.isEmpty && state.idle == 0 && state.mayStart
            if starts { state.threads += 1 }
            return starts
        }
        if starts { pool.startCounted() }
        usleep(microseconds)
        pool.state.withLock { $0.paused -= 1 }
    }

    private func startCounted() {
        if !startThread() { state.withLock { $0.threads -= 1 } }
    }

    /// Returns `false` if the system starts no thread. The existing ones then run all jobs.
    private func startThread() -> Bool { (try? SystemThread.start { [self] in live() }) != nil }

    /// Runs jobs on a started thread until `main` ends. Remaining jobs aren't run.
    private func live() {
        while !state.withLock(\.isOver) {
            runJobs()
            waitForWork()
        }
        // Pass the signal on to the next thread.
        work.signal()
    }

    /// Runs all jobs. Afterwards the thread counts as waiting.
    private func runJobs() {
        func next() -> UnownedJob? {
            state.withLock { state in
                guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
                state.idle += 1
                return nil
            }
        }
        while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func waitForWork() {
        while !work.takeSignal() { work.wait() }
    }
}
