import Console
import Foundation
import KeyturnSystem
import TerminalUI

/// A line on a terminal that says that a command waits for the user, and how long it still does.
final class SignOfLife: Sendable {
    private let surroundings: Surroundings
    private let glyphs: Glyphs
    private let hasMotion: Bool
    private let ticking = Locked<Task<Void, Never>?>(nil)
    /// Whether the line is on the terminal. Locked while it's written, so that no other output is in it.
    private let isShown = Locked(false)

    /// `nil` where a line can't be replaced, or the user wants none.
    init?(_ settings: Settings, in surroundings: Surroundings) {
        guard surroundings.errors.isTerminal, surroundings.errorWriter == nil, !surroundings.machine.isDumb,
            !settings.isQuiet, !settings.usesLines(in: surroundings.environment)
        else { return nil }
        self.surroundings = surroundings
        glyphs = settings.usesASCII || !surroundings.usesUTF8 ? .ascii : .unicode
        hasMotion = !settings.usesNoMotion
    }

    func begin(until end: Date) {
        let task = Task(executorPreference: ThreadPool.current) { [self] in
            var tick = 0
            repeat {
                let left = Moment.countdown(max(0, Int(end.timeIntervalSince(surroundings.now()))))
                show("\(glyphs.spinnerFrame(tick: tick, motion: hasMotion)) Waiting for you: \(left) left")
                tick += 1
            } while (try? await sleep(for: .seconds(1))) != nil
        }
        ticking.withLock { $0 = task }
    }

    private func show(_ text: String) {
        guard !Task.isCancelled else { return }
        isShown.withLock { isShown in
            try? surroundings.errors.write("\r\(text)\u{1B}[K")
            isShown = true
        }
    }

    /// Removes the line before other output; the next second shows it again.
    func clear() {
        isShown.withLock { isShown in
            if isShown { try? surroundings.errors.write("\r\u{1B}[K") }
            isShown = false
        }
    }

    func end() async {
        let task = ticking.withLock { $0 }
        task?.cancel()
        await task?.value
        clear()
    }
}
