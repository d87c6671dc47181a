import TerminalUI
import TestSupport
import Testing

extension MemoryScreen {
    /// Waits for a frame that contains `text`. On a timeout the screen closes, which ends the program too.
    func expect(_ text: String, times: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async {
        let found: Surface? = await withTaskCancellationHandler {
            await self.surface { $0.text.components(separatedBy: text).count > times }
        } onCancel: {
            close()
        }
        if found == nil {
            Issue.record(
                "\"\(text)\" did not appear. Last frame:\n\(lastSurface?.text ?? "nothing")",
                sourceLocation: sourceLocation)
        }
    }
}
