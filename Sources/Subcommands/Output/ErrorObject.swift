import Foundation
import JSON
import KeyturnSystem
import TerminalUI

/// The one JSON object on standard error of a command with `-o json`: `{"prompts": […], "error": {…}}`.
///
/// Written in parts: prompts at once, because the user needs them. Without prompts it is `{"error": {…}}`, or nothing on
/// success.
package final class ErrorObject: Sendable {
    private let sink: any TextSink
    private enum State { case empty, prompts, ended }

    private let state = Locked(State.empty)
    private let page = Locked<URL?>(nil)

    package init(on sink: any TextSink) { self.sink = sink }

    /// Ignores a closed pipe.
    func add(prompt: String) {
        state.withLock { state in
            guard state != .ended else { return }
            // With a line end, for readers of lines.
            try? sink.write((state == .prompts ? "," : "{\"prompts\":[\n") + JSONValue.string(prompt).line)
            state = .prompts
        }
    }

    /// Remembers the page that waits for the user, for the report of an interruption.
    func note(page url: URL?) { if let url { page.withLock { $0 = url } } }

    /// The report with the page that waited for the user.
    private func complete(_ failure: FailureReport) -> FailureReport {
        guard failure.name == "interrupted", let page = page.withLock({ $0 }) else { return failure }
        var failure = failure
        failure.page = Printable.sanitize(page.absoluteString)
        return failure
    }

    /// Completes the object. Only the first call has an effect: a signal can end the process at any time.
    func finish(with failure: FailureReport?) {
        state.withLock { state in
            let error = failure.map(complete)?.json ?? ""
            switch state {
            case .empty: try? sink.write(error)
            case .prompts: try? sink.write(error.isEmpty ? "]}\n" : "],\n\(error.dropFirst())")
            case .ended: break
            }
            state = .ended
        }
    }
}
