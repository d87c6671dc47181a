import Console
import DemoAuthority
import Diagnosis
import Foundation
import TerminalUI

/// `keyturn demo`: the terminal program with the built-in authority and a temporary cache.
package struct DemoCommand: Subcommand {
    static let tour = Option("tour", "Play the scenario with a scripted user and print each step")
    static let list = Option("list", "List the scenarios")
    static let diagram = Option(
        "diagram", argument: "FORMAT", choices: SequenceDiagram.Format.allCases.map(\.rawValue),
        "Play the scenario and print its sequence diagram")
    static let fault = Option(
        "fault", argument: "FAULT", "Show how Keyturn reacts to a faulty authority (a FAULT from --list-faults)")

    package static let specification = CommandSpecification(
        name: "demo",
        options: [
            list, tour, diagram, RecordingFile.record, RecordingFile.size, RecordingFile.replace, fault,
            AuthorityCommand.listFaults,
        ], optionalOperand: "SCENARIO")

    @Boxed private var settings: Settings
    private let scenario: Scenario
    private let playsTour: Bool
    /// A list to print instead: of the scenarios or the faults.
    private let list: TextTable?
    private let format: SequenceDiagram.Format?
    private let recording: RecordingFile?
    /// Whether to guide the user through the scenario.
    private let isNamed: Bool

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        let foreign: [Option] = [.profile, .clientID, .authority, .redirectURI, .certificates]
        if let option = foreign.first(where: options.has) {
            throw .extraOperand("--\(option.long)", command: Self.specification.name)
        }
        if let word = options[Self.fault] {
            guard options.operands.isEmpty else { throw .both("SCENARIO", "--fault") }
            scenario = Scenario(try Fault.chosen(word))
        } else {
            scenario = try Scenario.chosen(options.operands.first)
        }
        playsTour = options.has(Self.tour)
        list = options.has(Self.list) ? Scenario.list : options.has(AuthorityCommand.listFaults) ? Fault.list : nil
        format = options[Self.diagram].flatMap(SequenceDiagram.Format.init)
        recording = try RecordingFile(options)
        isNamed = !options.operands.isEmpty || options.has(Self.fault)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        if let list {
            try surroundings.output.write(list.text(columns: surroundings.columns(of: surroundings.output)))
        } else if recording != nil || format != nil {
            let file = try await recording?.file(in: surroundings)
            try await interruptible {
                try await DemoSession.use(in: surroundings) { try await export($0, file, in: $1) }
            }
        } else if playsTour || (!surroundings.hasTerminal && !settings.isPlain) {
            try await interruptible { try await DemoSession.use(in: surroundings, play) }
        } else {
            // The screen handles signals itself.
            try await DemoSession.use(in: surroundings, open)
        }
        return .done
    }

    private func open(_ session: DemoSession, in surroundings: Surroundings) async throws {
        // The screen appears before the authority answers.
        let setting = try await session.open(scenario, isDeferred: true)
        try await TerminalProgram.run(
            .scenario(setting.opened(withWalk: isNamed)), settings, session, in: surroundings)
        try await setting.server.ready()
    }

    private func player(
        _ session: DemoSession, _ size: Size = Size(width: 80, height: 24), in surroundings: Surroundings
    ) async throws -> WalkPlayer {
        WalkPlayer(
            try await session.open(scenario).opened(withWalk: true), options: settings.programOptions(in: surroundings),
            size: size, now: surroundings.now)
    }

    private func play(_ session: DemoSession, in surroundings: Surroundings) async throws {
        let plain = settings.usesASCII || !surroundings.usesUTF8
        let sink: any TextSink = plain ? ASCIISink(surroundings.output) : surroundings.output
        try await Tour(scenario, to: sink, OutputLook(settings, in: surroundings)).play(
            player(session, in: surroundings))
    }

    private func export(_ session: DemoSession, _ file: ExportedFile?, in surroundings: Surroundings) async throws {
        var frames = Recording(title: scenario.title)
        let size = recording?.window(in: surroundings) ?? Size(width: 80, height: 24)
        let model = try await player(session, size, in: surroundings)
            .play(onFrame: recording == nil ? nil : { frames.add($0, seconds: $1) })
        try Tour.check(model, of: scenario)
        if let format, let handout = Handout(model) { try surroundings.output.write(handout.text(format)) }
        guard let recording, let file else { return }
        try file.write(Data(frames.text(recording.format).utf8))
        if !settings.isQuiet { surroundings.tell(recording.report(frames, size)) }
    }
}
