import Dispatch
import Tasks

/// Brings the result of an `async` call to a completion block, on the queue it is wanted on.
struct Completion<Value: Sendable>: Sendable {
    let queue: DispatchQueue?
    let block: @Sendable (Value?, (any Error)?) -> Void

    func run(_ call: @escaping @Sendable () async throws -> Value) {
        Task(executorPreference: ThreadPool.current) {
            do {
                finish(try await call(), nil)
            } catch {
                finish(nil, error)
            }
        }
    }

    private func finish(_ value: Value?, _ error: (any Error)?) {
        guard let queue else { return block(value, error) }
        queue.async { block(value, error) }
    }
}
