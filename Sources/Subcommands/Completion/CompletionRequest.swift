/// The completion of an unfinished command line.
package struct CompletionRequest: Sendable, Equatable {
    /// The candidates for the word.
    package enum Reply: Sendable, Equatable {
        /// Words with their descriptions.
        case candidates([Candidate])
        /// Words from a source, each after `prefix`, for example `--output=`.
        case source(CompletionSource, prefix: String)
    }

    package struct Candidate: Sendable, Equatable {
        package var word: String
        package var sentence: String
    }

    package private(set) var reply: Reply
    /// The typed part of the word.
    package private(set) var beginning: String
    /// The options before the word, for example --profile.
    package private(set) var given = ParsedOptions()

    /// - Parameters:
    ///   - words: the words after `keyturn`. The last one is the word to complete and can be empty.
    ///   - commands: the known commands.
    package init(_ words: [String], among commands: [CommandSpecification]) {
        beginning = words.last ?? ""
        reply = .candidates([])
        var walk = Walk(commands: commands)
        for word in words.dropLast() { walk.read(word) }
        given = walk.given
        reply = walk.reply(to: &beginning)
    }
}

/// Reads the words like the parser, but ignores errors.
private struct Walk {
    private let commands: [CommandSpecification]
    private var command: CommandSpecification?
    private var operands: [String] = []
    private var waiting: Option?
    private var isPastOptions = false
    var given = ParsedOptions()

    init(commands: [CommandSpecification]) { self.commands = commands }

    private var options: [Option] { (command?.options ?? []) + Option.everywhere }

    mutating func read(_ word: String) {
        if let option = waiting {
            // A shell can pass the equals sign of --name=value as a word.
            if word == "=" { return }
            given.given.append(.init(option: option, argument: word))
            waiting = nil
        } else if !isPastOptions, word == "--" {
            isPastOptions = true
        } else if !isPastOptions, word.hasPrefix("-"), word.count > 1 {
            readOption(word)
        } else if command == nil, given.operands.isEmpty {
            command = commands.first { $0.name == word }
            given.operands = [word]
        } else {
            operands.append(word)
        }
    }

    private mutating func readOption(_ word: String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let option = option(named: String(parts[0])) else { return }
        if option.argument == nil {
            given.given.append(.init(option: option, argument: nil))
        } else if parts.count == 2 {
            given.given.append(.init(option: option, argument: String(parts[1])))
        } else {
            waiting = option
        }
    }

    private func option(named word: String) -> Option? {
        options.first { "--\($0.long)" == word || $0.short.map { "-\($0)" } == word }
    }

    /// - Parameter beginning: on return, without a prefix such as `--output=`.
    func reply(to beginning: inout String) -> CompletionRequest.Reply {
        if let waiting {
            if beginning == "=" { beginning = "" }
            return .source(CompletionSource(argumentOf: waiting), prefix: "")
        }
        if !isPastOptions, beginning.hasPrefix("-") { return optionReply(&beginning) }
        guard let command else {
            return given.operands.isEmpty ? .candidates(commandNames) : .candidates([])
        }
        let places = [command.operand, command.optionalOperand, command.furtherOperand].compactMap(\.self)
        guard operands.count < places.count else { return .candidates([]) }
        let place = places[operands.count]
        if place == "COMMAND" { return .candidates(commandNames) }
        return .source(CompletionSource(placeholder: place), prefix: "")
    }

    private func optionReply(_ beginning: inout String) -> CompletionRequest.Reply {
        if let equals = beginning.firstIndex(of: "="), let option = option(named: String(beginning[..<equals])) {
            let prefix = String(beginning[...equals])
            beginning.removeFirst(prefix.count)
            return .source(CompletionSource(argumentOf: option), prefix: prefix)
        }
        return .candidates(options.map { .init(word: "--\($0.long)", sentence: $0.summary) })
    }

    private var commandNames: [CompletionRequest.Candidate] {
        commands.map { .init(word: $0.name, sentence: $0.summary) }
    }
}
