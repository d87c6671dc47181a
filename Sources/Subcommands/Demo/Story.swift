import Foundation
import TerminalUI

/// Lines with the time since the start.
struct Story: Sendable {
    private let sink: any TextSink
    private let start: ContinuousClock.Instant

    init(to sink: any TextSink) {
        self.sink = sink
        start = .now
    }

    func chapter(_ title: String) {
        write("\n\(offset)  \(title)\n")
    }

    func line(_ text: String) {
        write("\(offset)  \(text)\n")
    }

    /// A text, wrapped.
    func paragraph(_ text: String) { for line in TextFitting.wrap(text, to: 100) { write("           \(line)\n") } }

    /// Lines without a time.
    func block(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            write(line.isEmpty ? "\n" : "           \(line)\n")
        }
    }

    private var offset: String {
        let elapsed = (ContinuousClock.now - start) / .milliseconds(1)
        return String(format: "%7.3f s", elapsed / 1000)
    }

    /// Ignores a closed pipe, so that the demo can clean up.
    private func write(_ text: String) { try? sink.write(text) }
}
