import Glibc
import MSAL
import TerminalUI

/// Where `keyturn demo --record` writes, and how large the recorded window is.
struct RecordingFile {
    static let record = Option(
        "record", argument: "FILE", "Play the scenario and record the screen, as .svg or .cast (asciicast v2)")
    static let size = Option(
        "size", argument: "COLUMNSxROWS", "Record a window of this size instead of the terminal's own, or of 80x24")
    static let replace = Option("replace", "Replace the recording if it exists")

    private static let smallest = Size(width: 40, height: 12)
    private static let largest = Size(width: 300, height: 100)
    /// The size without a terminal, so that scripts always get the same recording.
    private static let standard = Size(width: 80, height: 24)

    let path: String
    let format: Recording.Format
    private let size: Size?
    private let replaces: Bool

    /// Nil without `--record`.
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

    /// What was written, as a sentence.
    func report(_ recording: Recording, _ size: Size) -> String {
        let length = recording.length
        return
            "Wrote \(Printable.sanitize(path)): \(Self.text(size)), \(length.seconds) s, \(length.frames) pictures.\n"
    }
}
