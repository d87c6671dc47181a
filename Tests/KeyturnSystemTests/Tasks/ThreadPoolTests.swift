import Foundation
import Testing

@testable import KeyturnSystem

/// `run` blocks its calling thread, so each test gives it a separate one.
@Suite("The program's own threads")
struct ThreadPoolTests {
    private actor Counter {
        private(set) var poolsSeen: [ObjectIdentifier?] = []

        func look() { poolsSeen.append(ThreadPool.current.map(ObjectIdentifier.init)) }
    }

    private func run<Value: Sendable>(_ main: @escaping @Sendable () async -> Value) async -> Result<Value, any Error> {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: Result { try ThreadPool.run(main) })
            }
        }
    }

    @Test("Return the value of the work")
    func value() async throws {
        #expect(try await run { 42 }.get() == 42)
    }

    @Test("In a program without a pool, blocking work starts while other work waits for it", .timeLimit(.minutes(1)))
    func blockingWork() async throws {
        for _ in 0..<20 {
            let pipe = Pipe()
            async let first = ThreadPool.runBlocking { pipe.fileHandleForReading.readData(ofLength: 1).count }
            async let second = ThreadPool.runBlocking { pipe.fileHandleForWriting.write(Data([1])) }
            #expect(try await first == 1)
            try await second
        }
    }

    @Test("Children, actors and tasks that request it stay on the pool")
    func inheritance() async throws {
        let seen = try await run {
            let counter = Counter()
            await withTaskGroup { group in
                for _ in 0..<20 { group.addTask { await counter.look() } }
            }
            await Task(executorPreference: ThreadPool.current) { await counter.look() }.value
            await counter.look()
            return await counter.poolsSeen
        }.get()
        #expect(seen.count == 22)
        #expect(Set(seen).count == 1)
        #expect(seen.first != .some(nil))
    }

    @Test("A task runs only on its threads")
    func threads() async throws {
        let preferred = try await run {
            withUnsafeCurrentTask { task in
                task?.unownedTaskExecutor == ThreadPool.current.map { $0.asUnownedTaskExecutor() }
            }
        }.get()
        #expect(preferred)
    }

    @Test("Work starts on the calling thread, and returns there wherever main ends")
    func firstThread() async throws {
        for _ in 0..<50 {
            let threads = Locked<[pthread_t]>([])
            let note: @Sendable () -> Void = { threads.withLock { $0.append(pthread_self()) } }
            let caller = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let value = try? ThreadPool.run {
                        note()
                        await withTaskGroup { group in
                            for _ in 0..<8 { group.addTask { await Task.yield() } }
                        }
                        return 42
                    }
                    continuation.resume(returning: value == 42 ? pthread_self() : nil)
                }
            }
            #expect(caller == threads.withLock(\.first))
        }
    }

    @Test("More jobs than threads all run")
    func manyJobs() async throws {
        let sum = try await run {
            await withTaskGroup(of: Int.self) { group in
                for number in 1...1000 {
                    group.addTask {
                        await Task.yield()
                        return number
                    }
                }
                return await group.reduce(0, +)
            }
        }.get()
        #expect(sum == 500_500)
    }

    @Test("Work that occupies its threads leaves the loop one")
    func busyWork() async throws {
        let reached = try await run {
            let gate = DispatchSemaphore(value: 0)
            let work = (0..<8).map { _ in ThreadPool.startWork { gate.hold() } }
            // The loop's tasks, each of which needs a thread.
            for _ in 0..<100 { await Task(executorPreference: ThreadPool.current) { await Task.yield() }.value }
            for _ in work { gate.signal() }
            for task in work { await task.value }
            return true
        }.get()
        #expect(reached)
    }

    @Test("Waits for other processes hold up no other work", .timeLimit(.minutes(1)))
    func pauses() async throws {
        let reached = try await run {
            let isOver = Locked(false)
            await withTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask { while !isOver.withLock(\.self) { ThreadPool.pause(microseconds: 1000) } }
                }
                group.addTask { isOver.withLock { $0 = true } }
            }
            return isOver.withLock(\.self)
        }.get()
        #expect(reached)
    }

    @Test("A sleep ends at its deadline")
    func shortSleep() async throws {
        let outcome = try await run { await Task { try await sleep(for: .zero) }.result }.get()
        #expect(throws: Never.self) { try outcome.get() }
    }

    @Test("The shorter of two sleeps ends first", arguments: [true, false])
    func order(startsLong: Bool) async throws {
        let first = try await run {
            await withTaskGroup(of: Duration.self) { group in
                let both: [Duration] = [.seconds(3600), .milliseconds(1)]
                for duration in startsLong ? both : both.reversed() {
                    group.addTask {
                        try? await sleep(for: duration)
                        return duration
                    }
                }
                defer { group.cancelAll() }
                return await group.next()
            }
        }.get()
        #expect(first == .milliseconds(1))
    }

    @Test("Cancelling ends a sleep at once", arguments: [true, false])
    func cancelledSleep(before: Bool) async throws {
        let outcome = try await run {
            let task = Task(executorPreference: ThreadPool.current) {
                if before { withUnsafeCurrentTask { $0?.cancel() } }
                try await sleep(for: .seconds(3600))
            }
            task.cancel()
            return await task.result
        }.get()
        #expect(throws: CancellationError.self) { try outcome.get() }
    }

    @Test("Without a pool, a sleep is the runtime's")
    func noPool() async throws {
        #expect(ThreadPool.current == nil)
        try await sleep(for: .zero)
    }
}

extension DispatchSemaphore {
    /// Occupies the thread until a signal.
    fileprivate func hold() { wait() }
}
