import KeyturnSystem
import TerminalUI

/// A screen in memory, with scripted input and recorded frames.
package final class MemoryScreen: Screen {
    private struct State {
        var size: Size
        var surfaces: [Surface] = []
        var isClosed = false
        var copied: [String] = []
        var display = ScreenDisplay()
        var isLent = false
        var waiters: [(condition: @Sendable (Surface) -> Bool, resume: CheckedContinuation<Surface?, Never>)] = []
    }

    package let input: AsyncStream<InputEvent>
    private let events: AsyncStream<InputEvent>.Continuation
    private let state: Locked<State>
    private let clipboard: ClipboardRoute

    package init(size: Size, script: [InputEvent] = [], clipboard: ClipboardRoute = .direct) {
        self.clipboard = clipboard
        state = Locked(State(size: size))
        (input, events) = AsyncStream.makeStream()
        for event in script { send(event) }
    }

    package var size: Size { state.withLock(\.size) }
    package var surfaces: [Surface] { state.withLock(\.surfaces) }
    package var lastSurface: Surface? { state.withLock(\.surfaces.last) }
    package var isClosed: Bool { state.withLock(\.isClosed) }

    /// The copied texts, oldest first.
    package var copied: [String] { state.withLock(\.copied) }

    package func copy(_ text: String) -> CopyOutcome {
        guard clipboard.sequence(for: text) != nil else { return .rejected(clipboard.rejection) }
        state.withLock { $0.copied.append(text) }
        return .sent
    }

    package var isLent: Bool { state.withLock(\.isLent) }

    package var display: ScreenDisplay { state.withLock(\.display) }
    package func use(_ display: ScreenDisplay) { state.withLock { $0.display = display } }

    package func forgetTyped() { send(.forgotten) }

    package func lend(_ use: @Sendable () async -> Void) async {
        state.withLock { $0.isLent = true }
        await use()
        state.withLock { $0.isLent = false }
        send(.resize(size))
    }

    /// Sends an input event. A resize changes ``size`` first, as in a terminal.
    package func send(_ event: InputEvent) {
        if case .resize(let size) = event { state.withLock { $0.size = size } }
        events.yield(event)
    }

    package func send(_ keys: Key...) {
        for key in keys { send(.key(key)) }
    }

    package func show(_ surface: Surface) {
        let ready = state.withLock { state in
            state.surfaces.append(surface)
            let met = state.waiters.filter { $0.condition(surface) }.map(\.resume)
            state.waiters.removeAll { $0.condition(surface) }
            return met
        }
        for waiter in ready { waiter.resume(returning: surface) }
    }

    /// Waits for a frame that meets `condition`, starting with the latest one. Returns nil if the screen closes first.
    package func surface(where condition: @escaping @Sendable (Surface) -> Bool) async -> Surface? {
        await withCheckedContinuation { waiter in
            let now: Surface?? = state.withLock { state in
                if let last = state.surfaces.last, condition(last) { return .some(last) }
                if state.isClosed { return .some(nil) }
                state.waiters.append((condition, waiter))
                return nil
            }
            if let now { waiter.resume(returning: now) }
        }
    }

    package func close() {
        let left = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [] }
            return state.waiters.map(\.resume)
        }
        for waiter in left { waiter.resume(returning: nil) }
        events.finish()
    }
}
