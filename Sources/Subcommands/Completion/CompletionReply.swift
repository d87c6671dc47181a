import Console
import Foundation
import MSAL
import TerminalUI

/// The output for the shells' completion scripts: word, tab and description on a line, or `:files`.
struct CompletionReply {
    var request: CompletionRequest
    var environment: [String: String]
    var now: Date

    var text: String {
        switch request.reply {
        case .candidates(let candidates): return lines(candidates.map { ($0.word, $0.sentence) })
        case .source(.files, _): return ":files\n"
        case .source(let source, let prefix):
            return lines(words(of: source).map { (prefix + $0.word, $0.sentence) }, prefix: prefix)
        }
    }

    private func lines(_ candidates: [(word: String, sentence: String)], prefix: String = "") -> String {
        let beginning = prefix + request.beginning
        return candidates.filter { $0.word.hasPrefix(beginning) }
            .map { "\(Printable.sanitize($0.word))\t\(Printable.sanitize($0.sentence))\n" }
            .joined()
    }

    /// The candidates of a source. Ignores errors, as completion must stay silent.
    private func words(of source: CompletionSource) -> [(word: String, sentence: String)] {
        switch source {
        case .words(let words): words.map { ($0, "") }
        case .files, .nothing: []
        case .accounts: (try? accounts()) ?? []
        case .profiles:
            (try? ConfigurationFile.locate(named: settings?.config, in: environment).read())?.profiles
                .map { ($0.name, $0.authority.absoluteString) } ?? []
        case .scopes: ((try? settings?.profile(in: environment))?.scopes ?? []).map { ($0, "") }
        case .scenarios: Scenario.all.map { ($0.name, $0.title) }
        }
    }

    private var settings: Settings? { try? Settings(request.given) }

    private func accounts() throws -> [(word: String, sentence: String)] {
        guard let application = try settings?.profile(in: environment).applicationToLookAt() else { return [] }
        let accounts = try application.allAccounts()
        let ended = try application.ended(accounts, by: now)
        return accounts.putting(last: ended).compactMap { account in
            let mark = ended.contains(account.identifier ?? "") ? " \(AccountSummary.endedMark)" : ""
            return (account.username ?? account.identifier).map { ($0, account.environment + mark) }
        }
    }
}

package struct CompletionRequest: Sendable, Equatable {
    package enum Reply: Sendable, Equatable {
        case candidates([Candidate])
        /// Words from a source, each after `prefix`, for example `--output=`.
        case source(CompletionSource, prefix: String)
    }

    package struct Candidate: Sendable, Equatable {
        package var word: String
        package var sentence: String
    }

    package private(set) var reply: Reply
    package private(set) var beginning: String
    /// The options before the word, for example --profile.
    package private(set) var given = ParsedOptions()

    /// - Parameter words: after `keyturn`. The last one is the word to complete and can be empty.
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
            isPastOptions = isPastOptions || command?.stopsAtOperand == true
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
        guard let command else { return given.operands.isEmpty ? .candidates(commandNames) : .candidates([]) }
        let places = [command.operand, command.optionalOperand, command.furtherOperand].compactMap(\.self)
        guard operands.count < places.count else { return .candidates([]) }
        let place = places[operands.count]
        if place == "COMMAND", !command.stopsAtOperand { return .candidates(commandNames) }
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

package enum CompletionSource: Sendable, Equatable {
    case words([String])
    case files
    case accounts, profiles, scopes, scenarios
    case nothing

    package init(placeholder: String) {
        switch placeholder {
        case "FILE", "COMMAND": self = .files
        case "ACCOUNT", "USER|ID", "USER": self = .accounts
        case "NAME": self = .profiles
        case "SCOPE": self = .scopes
        case "SCENARIO": self = .scenarios
        default:
            // `a|b`: the words themselves, in lower case.
            let words = placeholder.split(separator: "|").map(String.init)
            self = words.allSatisfy { $0 == $0.lowercased() } ? .words(words) : .nothing
        }
    }

    init(argumentOf option: Option) {
        self = option.choices.isEmpty ? CompletionSource(placeholder: option.argument ?? "") : .words(option.choices)
    }
}
