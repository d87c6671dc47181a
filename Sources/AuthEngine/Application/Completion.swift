import Dispatch
import Tasks

/// Brings the result of a call to a completion block, on the queue it is wanted on.
struct Completion<Value: Sendable>: Sendable {
    let queue: DispatchQueue?
    let block: @Sendable (Value?, (any Error)?) -> Void

    /// Without a queue, the block of work that is finished runs on the caller's thread before this returns.
    func run(_ work: Work<Value>) {
        switch work {
        case .finished(let result): finish(result)
        case .call(let call):
            // Not on the runtime's own threads: the program may have all of them wait for its blocks.
            Task(executorPreference: ThreadPool.forBlocking) {
                do {
                    finish(.success(try await call()))
                } catch {
                    finish(.failure(error))
                }
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

/// What a method of the public API has left to do once it has read its parameters.
enum Work<Value: Sendable>: Sendable {
    case finished(Result<Value, any Error>)
    /// It has to wait, for the network, the user or a broker.
    case call(@Sendable () async throws -> Value)

    nonisolated(nonsending) func value() async throws -> Value {
        switch self {
        case .finished(let result): try result.get()
        case .call(let call): try await call()
        }
    }
}
