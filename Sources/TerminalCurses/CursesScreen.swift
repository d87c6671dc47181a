import CNcurses
import Glibc
import KeyturnSystem
import Synchronization
import TerminalUI

/// The program's terminal as a ``Screen``. Ctrl-Z suspends the program and Ctrl-L redraws; neither is delivered as a
/// key. Ctrl-C is a key; SIGINT from another process is ``InputEvent/interrupt``. One thread reads keys and signals,
/// and never waits for the terminal. Another one draws, and may wait for a terminal that takes no output. When the
/// program ends, the first one gives such a terminal up.
package final class CursesScreen: Screen {
    package let input: AsyncStream<InputEvent>
    private let events: AsyncStream<InputEvent>.Continuation
    /// Wakes the thread that draws.
    private let change: WakeUp
    /// Wakes the thread that reads.
    private let attention: WakeUp
    private let signals: Descriptor
    private let state: Locked<ScreenState>
    /// The lock for all ncurses calls, because ncurses uses global state. Nil until opened, and once closed.
    private let session = Locked<Session?>(nil)
    private let keyboard = Locked<Keyboard?>(nil)
    private let clipboard: ClipboardRoute
    private let hasColor: Bool
    private let exitAtOnce: @Sendable (Int32) -> Never

    /// There can be only one open screen.
    private static let isTaken = Atomic(false)

    /// How long the terminal may take no output when the program ends, in milliseconds.
    private static let patience: Int32 = 900
    /// How long a program in the background waits for a signal before it stops again.
    private static let timeForSignals = Duration.milliseconds(250)

    /// - Parameter exitAtOnce: ends the process, whose terminal is restored, for a signal.
    package init(
        environment: [String: String], display: ScreenDisplay = ScreenDisplay(), hasColor: Bool = true,
        exitAtOnce: @escaping @Sendable (Int32) -> Never
    ) throws(CursesScreenFailure) {
        let name = try Self.usableTerminal(environment["TERM"])
        guard !Self.isTaken.exchange(true, ordering: .acquiringAndReleasing) else { throw .alreadyOpen }
        do throws(CursesScreenFailure) {
            (change, attention) = (try Self.wakeUp(), try Self.wakeUp())
            signals = try Self.watchedSignals()
        } catch {
            Self.isTaken.store(false, ordering: .releasing)
            throw error
        }
        clipboard = ClipboardRoute(environment: environment)
        (self.hasColor, self.exitAtOnce) = (hasColor, exitAtOnce)
        (input, events) = AsyncStream.makeStream()
        state = Locked(ScreenState())
        // The program quits, and hears of no signal any more.
        events.onTermination = { [state] _ in state.withLock { $0.exitsSince = $0.exitsSince ?? .now } }
        do throws(CursesScreenFailure) {
            // Before the terminal is used, which may take no output already.
            try startReading()
            try open(name, display, environment)
            try startDrawing()
        } catch {
            finish()
            throw error
        }
    }

    deinit { close() }

    private func open(
        _ name: String, _ display: ScreenDisplay, _ environment: [String: String]
    ) throws(CursesScreenFailure) {
        guard awaitForeground({ term_is_in_background(STDOUT_FILENO) != 0 }) else {
            throw .ended(state.withLock(\.endedBy) ?? SIGTERM)
        }
        term_use_locale(CharacterLocale(environment: environment).nameToUse)
        let background = TerminalBackground(environment: environment["COLORFGBG"])
        let (keys, size, isRequested) = try session.withLock { [hasColor] session throws(CursesScreenFailure) in
            term_begin_writing()
            defer { term_end_writing() }
            let opened = try Session(name: name, display: display, background: background, hasColor: hasColor)
            session = opened
            return (opened.keyboard, opened.terminal.size, opened.terminal.isRequested)
        }
        let speed = Int(term_speed(keys.number))
        let wait = EscapeWait(environment: environment, baud: speed > 0 ? speed : nil)
        state.withLock { $0.size = size }
        keyboard.withLock {
            $0 = Keyboard(keys, wait: wait)
            if isRequested { $0?.expectResponse() }
        }
        attention.signal()
    }

    package var size: Size { state.withLock(\.size) }

    /// The signal of the last ``InputEvent/terminate``; SIGHUP for a closed terminal.
    package var endedBy: Int32? { state.withLock(\.endedBy) }

    package func show(_ surface: Surface) {
        let wasIdle = state.withLock { state in
            defer { (state.latest, state.isDue) = (surface, true) }
            return !state.isDue
        }
        if wasIdle { change.signal() }
    }

    package func copy(_ text: String) -> CopyOutcome {
        guard let sequence = clipboard.sequence(for: text) else { return .rejected(clipboard.rejection) }
        onTerminal { $0?.terminal.send(sequence) }
        return .sent
    }

    package func use(_ display: ScreenDisplay) {
        onTerminal { $0?.terminal.use(display) }
        drawAgain()
        change.signal()
    }

    /// By the thread that reads, so that no key overtakes the event.
    package func forgetTyped() {
        state.withLock { $0.forgetsTyped = true }
        attention.signal()
    }

    package func lend(_ use: @Sendable () async -> Void) async {
        state.withLock { $0.isLent = true }
        awaitResponse()
        pauseKeyboard(true)
        onTerminal { $0?.lend() }
        await use()
        onTerminal { $0?.reclaim() }
        state.withLock { $0.isLent = false }
        pauseKeyboard(false)
        drawAgain()
        change.signal()
    }

    package func close() {
        let isEnded = state.withLock { state in
            state.isClosing = true
            return state.endedBy != nil
        }
        attention.signal()
        if !isEnded { awaitResponse() }
        let wasOpen = onTerminal { session in
            defer { session = nil }
            session?.close()
            return session != nil
        }
        if wasOpen { finish() }
    }

    private func finish() {
        state.withLock { $0.isClosed = true }
        term_unwatch_signals()
        Self.isTaken.store(false, ordering: .releasing)
        events.finish()
        change.signal()
        attention.signal()
    }

    /// Uses the terminal, which may wait without limit. The reading thread knows of it.
    private func onTerminal<Result: Sendable>(_ body: @Sendable (inout Session?) -> Result) -> Result {
        session.withLock { session in
            term_begin_writing()
            defer { term_end_writing() }
            return body(&session)
        }
    }

    /// Reads a late answer, which is for nobody else. Drops keys. The reading thread can give up a stuck terminal.
    private func awaitResponse() {
        while term_is_given_up() == 0, let expected = keyboard.withLock({ $0?.expected }) {
            _ = descriptorsReady(of: [expected.descriptor.number], atMost: min(expected.limit, Self.timeForSignals))
            keyboard.withLock { _ = $0?.read() }
        }
    }

    private func pauseKeyboard(_ isPaused: Bool) {
        keyboard.withLock { $0?.isPaused = isPaused }
        attention.signal()
    }
}

/// The thread that reads keys and signals.
extension CursesScreen {
    private func startReading() throws(CursesScreenFailure) {
        try Self.start { [attention, signals, weak self] in
            while let wait = self?.readingWait {
                let descriptors = [attention.descriptor, signals.number] + [wait.keyboard?.number].compactMap(\.self)
                _ = descriptorsReady(of: descriptors, atMost: wait.limit)
                while attention.takeSignal() {}
                self?.read()
            }
        }
    }

    private var readingWait: (keyboard: Descriptor?, limit: Duration?)? {
        let (isClosed, isEnding) = state.withLock { ($0.isClosed, $0.isEnding) }
        guard !isClosed else { return nil }
        let wait = keyboard.withLock { $0?.wait }
        let isWatched = isEnding && term_is_given_up() == 0
        let limit = isWatched ? min(wait?.limit ?? Self.timeForSignals, Self.timeForSignals) : wait?.limit
        return (wait?.descriptor, limit)
    }

    private func read() {
        for signal in (signals.read() ?? []).map(Int32.init) { receive(signal) }
        if state.withLock({ $0.takeForgetting() }) {
            keyboard.withLock { $0?.forget() }
            events.yield(.forgotten)
        }
        let (received, background) = keyboard.withLock { ($0?.read() ?? [], $0?.takeBackground()) }
        deliver(received)
        if let background { order(.recolor(background)) }
        if state.withLock({ $0.isEnding }), term_is_given_up() == 0, term_is_stuck(Self.patience) != 0 {
            term_give_up()
        }
    }

    private func receive(_ signal: Int32) {
        switch signal {
        case SIGWINCH: order(.drawAgain)
        // Ctrl-C belongs to the program that the terminal is lent to.
        case SIGINT where state.withLock(\.isLent): break
        case SIGINT where keyboard.withLock({ $0?.isPaused }) == false: end(.interrupt, by: signal)
        case SIGTSTP: suspend()
        case SIGCONT:
            // In the background, a read would stop the process, and in the foreground it would then wait for a key.
            pauseKeyboard(true)
            order(.resume)
        default: end(.terminate, by: signal)
        }
    }

    private func deliver(_ received: [InputEvent]) {
        for event in received {
            switch event {
            case .key(.control("z")): suspend()
            case .key(.control("l")): order(.drawAgain)
            case .terminate: end(event, by: SIGHUP)
            case .key(.control("c")): end(event, by: SIGINT)
            case .key, .keys, .mouse, .resize, .paste, .forgotten, .interrupt: events.yield(event)
            }
        }
    }

    /// Delivers an event that ends the program. One that was to end before, and still waits, ends at once.
    private func end(_ event: InputEvent, by signal: Int32) {
        if state.withLock({ $0.isOverdue(at: .now) }) {
            term_give_back()
            exitAtOnce(signal)
        }
        if event == .terminate { state.withLock { ($0.endedBy, $0.exitsSince) = (signal, $0.exitsSince ?? .now) } }
        events.yield(event)
        change.signal()
    }

    /// Keys typed from now on are for the shell.
    private func suspend() {
        awaitResponse()
        if keyboard.withLock({ $0?.isPaused }) == false { pauseKeyboard(true) }
        order(.suspend)
    }

    private func order(_ order: ScreenState.Order) {
        state.withLock { if $0.orders.last != order { $0.orders.append(order) } }
        change.signal()
    }
}

/// The thread that draws.
extension CursesScreen {
    private func startDrawing() throws(CursesScreenFailure) {
        try Self.start { [change, weak self] in
            while self?.isOpen == true {
                change.wait()
                while change.takeSignal() {}
                self?.work()
            }
        }
    }

    private var isOpen: Bool { state.withLock { !$0.isClosed } }

    private func work() {
        // One by one, because resuming takes the signals of later orders.
        while let order = state.withLock({ $0.takeOrder() }) {
            switch order {
            case .drawAgain: drawAgain()
            case .suspend:
                // An order to resume may have come in between.
                pauseKeyboard(true)
                onTerminal { $0?.suspend() }
                term_stop_process_group(SIGTSTP)
                resume()
            case .resume: resume()
            case .recolor(let background): if onTerminal({ $0?.terminal.use(background) }) == true { drawAgain() }
            }
        }
        draw()
    }

    private func draw() {
        onTerminal { [state] session in
            // While the terminal is lent to another program, frames wait.
            guard session?.isLent == false, let surface = state.withLock({ $0.takeSurface() }) else { return }
            session?.terminal.draw(surface)
        }
    }

    private func drawAgain() {
        guard let size = onTerminal({ $0?.terminal.resize() }) else { return }
        state.withLock { $0.follow(size) }
        events.yield(.resize(size))
    }

    /// Resumes after a stop, when the shell may have used or resized the terminal.
    private func resume() {
        guard awaitForeground({ [session] in session.withLock { $0?.isInBackground ?? false } }) else { return }
        onTerminal { $0?.resume() }
        if !state.withLock(\.isLent) { pauseKeyboard(false) }
        drawAgain()
    }

    /// Stops the process while it's in the background, like a program that uses the terminal there. Returns whether it is in
    /// the foreground; false if it ends first.
    private func awaitForeground(_ isInBackground: () -> Bool) -> Bool {
        while isInBackground() {
            if isEndingSoon() { return false }
            if isInBackground() { term_stop_process_group(SIGTTOU) }
        }
        return !state.withLock { $0.isEnding }
    }

    /// A signal to end comes together with the one to continue, but other threads may handle it. So this waits for all of
    /// the time, whatever else happens.
    private func isEndingSoon() -> Bool {
        let deadline = ContinuousClock.now + Self.timeForSignals
        while .now < deadline {
            if state.withLock({ $0.isEnding }) { return true }
            change.wait(atMost: ContinuousClock.now.duration(to: deadline))
            while change.takeSignal() {}
        }
        return state.withLock { $0.isEnding }
    }
}

extension CursesScreen {
    private static func usableTerminal(_ name: String?) throws(CursesScreenFailure) -> String {
        guard isatty(STDIN_FILENO) == 1 else { throw .inputIsNoTerminal }
        guard isatty(STDOUT_FILENO) == 1 else { throw .outputIsNoTerminal }
        guard let name, !name.isEmpty else { throw .terminalNotNamed }
        switch Int(term_check(name, STDOUT_FILENO)) {
        case TERM_USABLE: return name
        case TERM_UNKNOWN: throw .terminalUnknown(name)
        default: throw .terminalTooSimple(name)
        }
    }

    private static func wakeUp() throws(CursesScreenFailure) -> WakeUp {
        do { return try WakeUp() } catch { throw .system("socketpair", error.code) }
    }

    private static func start(_ loop: @escaping @Sendable () -> Void) throws(CursesScreenFailure) {
        do { try SystemThread.start(loop) } catch { throw .limit(error) }
    }

    /// Before ncurses, which installs handlers for unhandled signals.
    private static func watchedSignals() throws(CursesScreenFailure) -> Descriptor {
        let descriptor = term_watch_signals()
        guard descriptor >= 0 else { throw .system("watching the terminal", errno) }
        return Descriptor(descriptor)
    }
}
