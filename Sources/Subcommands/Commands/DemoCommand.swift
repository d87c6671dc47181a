import Console
import DemoAuthority
import Diagnosis
import Foundation
import MSAL
import TerminalUI

package struct DemoCommand: Subcommand {
    static let tour = Option("tour")
    static let list = Option("list")
    static let diagram = Option(
        "diagram", of: "demo", argument: "FORMAT", choices: SequenceDiagram.Format.allCases.map(\.rawValue))
    static let fault = Option("fault", of: "demo", argument: "FAULT")

    package static let specification = CommandSpecification(
        name: "demo",
        options: [
            list, tour, diagram, RecordingFile.record, RecordingFile.size, RecordingFile.replace, fault,
            AuthorityCommand.listFaults,
        ], optionalOperand: "SCENARIO")

    @Boxed private var settings: Settings
    private let options: ParsedOptions
    private let scenario: Scenario
    private var list: TextTable? {
        options.has(Self.list) ? Scenario.list : options.has(AuthorityCommand.listFaults) ? Fault.list : nil
    }
    private var format: SequenceDiagram.Format? { options[Self.diagram].flatMap(SequenceDiagram.Format.init) }
    private let recording: RecordingFile?

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
        self.options = options
        recording = try RecordingFile(options)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        if let list {
            try surroundings.output.write(list.text(columns: surroundings.columns(of: surroundings.output)))
        } else if recording != nil || format != nil {
            let file = try await recording?.file(in: surroundings)
            try await interruptible {
                try await DemoSession.use(in: surroundings) { try await export($0, file, in: $1) }
            }
        } else if options.has(Self.tour) || (!surroundings.hasTerminal && !settings.isPlain) {
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
        let isNamed = !options.operands.isEmpty || options.has(Self.fault)
        try await TerminalProgram.run(.scenario(setting.opened(withWalk: isNamed)), settings, session, in: surroundings)
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

struct RecordingFile {
    static let record = Option("record", argument: "FILE")
    static let size = Option("size", argument: "COLUMNSxROWS")
    static let replace = Option("replace", of: "demo")

    private static let smallest = Size(width: 40, height: 12)
    private static let largest = Size(width: 300, height: 100)
    /// The size without a terminal, so that scripts always get the same recording.
    private static let standard = Size(width: 80, height: 24)

    let path: String
    let format: Recording.Format
    private let size: Size?
    private let replaces: Bool

    init?(_ options: ParsedOptions) throws(UsageError) {
        guard let path = options[Self.record] else {
            if options.has(Self.size) || options.has(Self.replace) {
                throw .missingOperand("--record FILE", command: "demo")
            }
            return nil
        }
        guard let format = Recording.Format(fileName: path) else {
            throw .badArgument(Self.record, argument: path, wanted: "a name that ends in .svg or .cast")
        }
        self.path = path
        self.format = format
        replaces = options.has(Self.replace)
        size = try options[Self.size].map(Self.size)
    }

    private static func size(_ word: String) throws(UsageError) -> Size {
        let numbers = word.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let width = numbers[0], let height = numbers[1],
            (smallest.width...largest.width).contains(width), (smallest.height...largest.height).contains(height)
        else {
            let limits = "from \(Self.text(smallest)) to \(Self.text(largest))"
            throw .badArgument(size, argument: word, wanted: "columns and rows, such as 120x40, \(limits)")
        }
        return Size(width: width, height: height)
    }

    private static func text(_ size: Size) -> String { "\(size.width)x\(size.height)" }

    func window(in surroundings: Surroundings) -> Size {
        let own = surroundings.output.isTerminal ? surroundings.output.window : surroundings.errors.window
        guard let size = size ?? own else { return Self.standard }
        return Size(
            width: min(max(size.width, Self.smallest.width), Self.largest.width),
            height: min(max(size.height, Self.smallest.height), Self.largest.height))
    }

    /// The file to write. Asks before it replaces one, or fails where nobody can be asked.
    func file(in surroundings: Surroundings) async throws -> ExportedFile {
        var file = ExportedFile(path: path, replaces: replaces, alternative: "Use another file, or --replace.")
        if !replaces, access(path, F_OK) == 0, surroundings.canPrompt {
            surroundings.prompt("\(Printable.sanitize(path)) exists. Replace it? (y: yes, Enter: no): ")
            guard let reply = await surroundings.typedLine()?.lowercased(), ["y", "yes"].contains(reply) else {
                throw CancellationError()
            }
            file.replaces = true
        }
        try file.check()
        return file
    }

    func report(_ recording: Recording, _ size: Size) -> String {
        let length = recording.length
        return
            "Wrote \(Printable.sanitize(path)): \(Self.text(size)), \(length.seconds) s, \(length.frames) pictures.\n"
    }
}
