import Locks

/// The one JSON object on standard error of a command with `-o json`: `{"prompts": […], "error": {…}}`.
///
/// Written in parts: prompts at once, because the user needs them. Without prompts it is `{"error": {…}}`, or nothing on
/// success.
package final class ErrorObject: Sendable {
    private let sink: any TextSink
    private enum State { case empty, prompts, ended }

    private let state = Locked(State.empty)

    package init(on sink: any TextSink) { self.sink = sink }

    /// Ignores a closed pipe.
    func add(prompt: String) {
        state.withLock { state in
            guard state != .ended else { return }
            // With a line end, for readers of lines.
            try? sink.write((state == .prompts ? "," : "{\"prompts\":[\n") + JSONText.line(prompt))
            state = .prompts
        }
    }

    /// Completes the object. Only the first call has an effect: a signal can end the process at any time.
    func end(with failure: FailureReport?) {
        state.withLock { state in
            let error = failure?.json ?? ""
            switch state {
            case .empty: try? sink.write(error)
            case .prompts: try? sink.write(error.isEmpty ? "]}\n" : "],\n\(error.dropFirst())")
            case .ended: break
            }
            state = .ended
        }
    }
}
