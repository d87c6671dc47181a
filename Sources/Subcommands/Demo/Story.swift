import Foundation
import TerminalUI

/// Lines with the time since the story began in front.
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

    /// A text of any length, in lines that fit a terminal.
    func paragraph(_ text: String) {
        for line in TextFitting.wrap(text, to: 100) { write("           \(line)\n") }
    }

    /// Several lines that have no time of their own.
    func block(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            write(line.isEmpty ? "\n" : "           \(line)\n")
        }
    }

    private var offset: String {
        let elapsed = (ContinuousClock.now - start) / .milliseconds(1)
        return String(format: "%7.3f s", elapsed / 1000)
    }

    /// The story goes on without its reader: the demo still has to clean up after itself.
    private func write(_ text: String) { try? sink.write(text) }
}
