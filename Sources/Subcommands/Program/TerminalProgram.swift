import Console
import Glibc
import KeyturnSystem
import MSAL
import TerminalCurses
import TerminalUI

enum TerminalProgram {
    static func run(
        _ start: ProgramStart, _ settings: Settings, _ demo: DemoSession,
        _ fill: @escaping @Sendable (inout ProgramOptions) -> Void = { _ in }, in surroundings: Surroundings
    ) async throws {
        let lines = { try await LineProgram.run(start, settings, demo, fill, in: surroundings) }
        if settings.usesLines(in: surroundings.environment) { return try await lines() }
        var options = settings.programOptions(in: surroundings)
        fill(&options)
        let screen: CursesScreen
        do {
            screen = try open(options, in: surroundings)
        } catch let failure as CursesScreenFailure where failure.isOfTheTerminalsKind {
            surroundings.tell("\(failure.reason) Starting in line mode (--plain).\n")
            return try await lines()
        }
        defer { screen.close() }
        options.ascii = options.ascii || !CharacterLocale(environment: surroundings.environment).drawsUTF8
        let services = ProgramServices(settings, demo, in: surroundings)
        // The terminal is the screen's: a line about a slow request would stay between its cells.
        await MSALHTTPConfig.$slowRequests.withValue(nil) {
            await runProgram(start, on: screen, options: options, services: services)
        }
        if let signal = screen.endedBy { throw Interrupted(signal: signal) }
    }

    private static func open(_ options: ProgramOptions, in surroundings: Surroundings) throws -> CursesScreen {
        do {
            return try CursesScreen(
                environment: surroundings.environment, display: options.display, hasColor: !options.noColor,
                exitAtOnce: { SignalWatch.terminate($0) })
        } catch .ended(let signal) {
            throw Interrupted(signal: signal)
        } catch  where error.isOfTheTerminalsKind {
            throw error
        } catch {
            throw Failure(
                error.limit == nil ? .usage : .failed, name: "terminal", error.reason, nextStep: error.nextStep)
        }
    }
}

extension CursesScreenFailure {
    fileprivate var isOfTheTerminalsKind: Bool {
        switch self {
        case .terminalNotNamed, .terminalUnknown, .terminalTooSimple: true
        case .inputIsNoTerminal, .outputIsNoTerminal, .alreadyOpen, .ended, .system, .limit: false
        }
    }
}

enum LineProgram {
    static func run(
        _ start: ProgramStart, _ settings: Settings, _ demo: DemoSession, _ fill: (inout ProgramOptions) -> Void,
        in surroundings: Surroundings
    ) async throws {
        let isPlainASCII = settings.usesASCII || !surroundings.usesUTF8
        let output: any TextSink = isPlainASCII ? ASCIISink(surroundings.output) : surroundings.output
        let terminal = StandardTerminal(surroundings, output: output)
        var options = settings.programOptions(in: surroundings)
        fill(&options)
        // The texts of the corresponding commands.
        let code = DeviceCodeNotice(drawsPicture: false, usesASCII: true)
        let teller = PlainTeller(
            step: { event, method, proposal, page in
                FlowNarrator(
                    method: method, proposal: proposal, page: page, wantsPaste: true, hidesFailure: method == .broker
                ).lines(event)
            }, code: { code.text($0, at: surroundings.now()) })
        let ending = await runPlainProgram(
            start, on: terminal, teller: teller, options: options,
            services: ProgramServices(settings, demo, in: surroundings))
        switch ending {
        case .interrupt: throw Interrupted(signal: SIGINT)
        case .terminate: throw Interrupted(signal: terminal.endedBy)
        case .key, .keys, .mouse, .resize, .paste, .forgotten, nil: break
        }
    }
}

struct StandardTerminal: PlainTerminal {
    let isInteractive: Bool
    let input: AsyncStream<PlainConversation.Event>
    private let output: any TextSink
    private let columns: @Sendable () -> Int?
    private let ending = Locked(SIGTERM)
    private let forgotten: AsyncStream<Void>.Continuation

    var endedBy: Int32 { ending.withLock { $0 } }

    init(_ surroundings: Surroundings, output: any TextSink) {
        isInteractive = surroundings.hasTerminal
        self.output = output
        columns = { surroundings.columns(of: surroundings.output) }
        let pieces = surroundings.pastes()
        let (forgets, forgotten) = AsyncStream.makeStream(of: Void.self)
        self.forgotten = forgotten
        input = AsyncStream { [isInteractive, ending] continuation in
            let lines = Task(executorPreference: ThreadPool.current) {
                var rest = ""
                for await piece in pieces {
                    var lines = Self.lines(of: rest + piece)
                    rest = lines.popLast() ?? ""
                    for line in lines { continuation.yield(.line(line)) }
                }
                if !rest.isEmpty { continuation.yield(.line(rest)) }
                if isInteractive, !Self.isThere {
                    ending.withLock { $0 = SIGHUP }
                    continuation.yield(.terminate)
                } else {
                    continuation.yield(.ended)
                }
            }
            let signals = Task(executorPreference: ThreadPool.current) {
                for await signal in interruptions() {
                    switch signal {
                    case SIGINT: continuation.yield(.interrupt)
                    case SIGCONT: continuation.yield(.continued)
                    default:
                        ending.withLock { $0 = signal }
                        continuation.yield(.terminate)
                    }
                }
            }
            let forgetting = Task(executorPreference: ThreadPool.current) {
                for await _ in forgets { continuation.yield(.forgotten) }
            }
            continuation.onTermination = { _ in
                forgetting.cancel()
                lines.cancel()
                signals.cancel()
            }
        }
    }

    /// The lines, of which the last one may go on. A line end of two characters is one `Character`.
    static func lines(of text: String) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
    }

    /// Whether the terminal still exists. After a hang-up the input can end before SIGHUP arrives.
    private static var isThere: Bool {
        var modes = termios()
        return tcgetattr(STDIN_FILENO, &modes) == 0
    }

    /// Ignores a closed output: the input ends with it. Wraps lines between words at the terminal's width.
    func write(_ text: String) {
        guard isInteractive else {
            try? output.write(text)
            return
        }
        let lines = TextFitting.wrap(text, to: columns() ?? 80, breaksWords: false)
        try? output.write(lines.joined(separator: "\n"))
    }

    func forgetTyped() {
        PastedInput.forget(STDIN_FILENO)
        TypedInput.clear()
        forgotten.yield()
    }

    func hide(_ isHidden: Bool) { TypedInput.hide(isHidden) }
}
