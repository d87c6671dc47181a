import Foundation
import JSON
import KeyturnSystem
import MSAL
import TerminalUI

/// Writes the one JSON object on standard error of a command with `-o json`: `{"prompts": […], "error": {…}}`.
/// Written in parts: prompts at once, because the user needs them. Without prompts it is `{"error": {…}}`, or nothing on
/// success.
package final class ErrorWriter: Sendable {
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

    func note(page url: URL?) { if let url { page.withLock { $0 = url } } }

    private func document(_ failure: Failure) -> String {
        let page = failure.name == Failure.interrupted ? page.withLock { $0 } : nil
        return failure.json(page: page.map { Printable.sanitize($0.absoluteString) })
    }

    /// Completes the object. Only the first call has an effect: a signal can end the process at any time.
    func finish(with failure: Failure?) {
        state.withLock { state in
            let error = failure.map(document) ?? ""
            switch state {
            case .empty: try? sink.write(error)
            case .prompts: try? sink.write(error.isEmpty ? "]}\n" : "],\n\(error.dropFirst())")
            case .ended: break
            }
            state = .ended
        }
    }
}
