import Locks

/// The one JSON object on standard error of a command with `-o json`: `{"prompts": […], "error": {…}}`.
///
/// A prompt is written as soon as it is known, because the user needs it to go on; so the object grows. Without prompts it
/// is `{"error": {…}}`, and nothing when the command succeeds.
package final class ErrorObject: Sendable {
    private let sink: any TextSink
    private let hasPrompts = Locked(false)

    package init(on sink: any TextSink) { self.sink = sink }

    /// A reader that is gone must not stop the work.
    func add(prompt: String) {
        hasPrompts.withLock { hasPrompts in
            // With a line end, so that one who reads lines has it.
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
