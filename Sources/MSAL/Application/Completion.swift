import Dispatch
import KeyturnSystem

struct Completion<Value: Sendable>: Sendable {
    let queue: DispatchQueue?
    let block: @Sendable (Value?, (any Error)?) -> Void

    /// Runs the block. Without a queue, the block of finished work runs on the caller's thread before this returns.
    func run(_ work: Work<Value>) {
        switch work {
        case .finished(let result): finish(result)
        case .call(let call):
            // Not on Swift's cooperative threads: the program may block all while it waits for its blocks.
            Task(executorPreference: ThreadPool.forBlocking) {
                do {
                    finish(.success(try await call()))
                } catch { finish(.failure(error)) }
            }
        }
    }

    private func finish(_ result: Result<Value, any Error>) {
        guard let queue else { return tell(result) }
        queue.async { tell(result) }
    }

    private func tell(_ result: Result<Value, any Error>) {
        switch result {
        case .success(let value): block(value, nil)
        case .failure(let error): block(nil, error)
        }
    }
}

/// The rest of a public call after it has read its parameters.
enum Work<Value: Sendable>: Sendable {
    case finished(Result<Value, any Error>)
    /// Work that waits for the network, the user or a broker.
    case call(@Sendable () async throws -> Value)

    nonisolated(nonsending) func value() async throws -> Value {
        switch self {
        case .finished(let result): try result.get()
        case .call(let call): try await call()
        }
    }
}
