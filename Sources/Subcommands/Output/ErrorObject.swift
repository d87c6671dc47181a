import Locks

/// The one JSON object on standard error of a command with `-o json`: `{"prompts": […], "error": {…}}`.
///
/// Written in parts: prompts at once, because the user needs them. Without prompts it is `{"error": {…}}`, or nothing on
/// success.
package final class ErrorObject: Sendable {
    private let sink: any TextSink
    private let hasPrompts = Locked(false)

    package init(on sink: any TextSink) { self.sink = sink }

    /// Ignores a closed pipe.
    func add(prompt: String) {
        hasPrompts.withLock { hasPrompts in
            // With a line end, for readers of lines.
            try? sink.write((hasPrompts ? "," : "{\"prompts\":[\n") + JSONText.line(prompt))
            hasPrompts = true
        }
    }

    func end(with failure: FailureReport?) {
        hasPrompts.withLock { hasPrompts in
            let error = failure?.json ?? ""
            guard hasPrompts else { return try? sink.write(error) }
            try? sink.write(error.isEmpty ? "]}\n" : "],\n\(error.dropFirst())")
            hasPrompts = false
        }
    }
}
