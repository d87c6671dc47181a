import Console
import KeyturnSystem
import MSAL
import TerminalCurses

/// The terminal program on the process's terminal.
enum TerminalProgram {
    static func run(
        _ start: ProgramStart, _ settings: Settings, _ demo: DemoSession,
        _ fill: @escaping @Sendable (inout ProgramOptions) -> Void = { _ in },
        in surroundings: Surroundings
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
                environment: surroundings.environment, display: options.display, hasColor: !options.noColor)
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
    /// Whether line mode works on this terminal.
    fileprivate var isOfTheTerminalsKind: Bool {
        switch self {
        case .terminalNotNamed, .terminalUnknown, .terminalTooSimple: true
        case .inputIsNoTerminal, .outputIsNoTerminal, .alreadyOpen, .ended, .system, .limit: false
        }
    }
}
