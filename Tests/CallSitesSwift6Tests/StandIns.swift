import MSAL

// The parts of UIKit, Combine and Flutter that the call sites name.

@MainActor class UIViewController: MSALPresenter {
    var title: String?
}

@MainActor protocol ObservableObject: AnyObject {}

@propertyWrapper struct Published<Value> {
    var wrappedValue: Value
}

/// A promise that a callback fulfils, as in reactive code.
final class Future<Output>: @unchecked Sendable {
    typealias Promise = (Result<Output, any Error>) -> Void

    private let lock = NSLock()
    private var result: Result<Output, any Error>?
    private var sink: Promise?

    init(_ work: (@escaping Promise) -> Void) {
        work { [self] result in
            lock.lock()
            self.result = result
            let sink = self.sink
            lock.unlock()
            sink?(result)
        }
    }

    func sink(_ receive: @escaping Promise) {
        lock.lock()
        sink = receive
        let result = result
        lock.unlock()
        result.map(receive)
    }
}

typealias PluginResult = (Any?) -> Void

struct PluginError: Error {
    var code: String
    var message: String?
}
