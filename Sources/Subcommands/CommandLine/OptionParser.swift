import CSystem
import Diagnosis
import Glibc
import KeyturnSystem

/// Parses arguments with `getopt_long`: long and short options, `--name=value`, unambiguous abbreviations and `--`.
package struct OptionParser: Sendable {
    package var options: [Option]
    /// The command, for errors; `nil` before its name.
    package var command: String?
    /// Whether the options end at the first operand, which is the command's name.
    package var stopsAtFirstOperand: Bool = false
    /// The options that must come after the command's name.
    package var later: [Option] = []

    /// `getopt_long` keeps its state in global variables: one parser at a time.
    private static let turn = Locked(())

    package func parse(_ arguments: [String]) throws(UsageError) -> ParsedOptions {
        let parsed = try Self.turn.withLock { _ throws(UsageError) in try scan(arguments) }
        for given in parsed.given { try check(given) }
        return parsed
    }

    /// The valid options of a command line that can contain errors.
    func parseWhatIsRight(_ arguments: [String]) -> ParsedOptions {
        Self.turn.withLock { _ in (try? scan(arguments, skipsMistakes: true)) ?? ParsedOptions() }
    }

    private func scan(_ arguments: [String], skipsMistakes: Bool = false) throws(UsageError) -> ParsedOptions {
        var argv = (["keyturn"] + arguments).map { strdup(NegativeNumber.hidden($0)) }
        let names = options.map { strdup($0.long) }
        defer { (argv + names).forEach { free($0) } }
        let count = Int32(argv.count)
        argv.append(nil)
        let table = longOptions(names)

        var parsed = ParsedOptions()
        keyturn_getopt_begin()
        var step = keyturn_getopt_next(count, argv, shortOptions, table)
        while step.value != -1 {
            if let option = option(for: step.value) {
                parsed.given.append(
                    .init(option: option, argument: step.argument.map { NegativeNumber.shown(String(cString: $0)) }))
            } else if !skipsMistakes {
                throw mistake(step, in: argv.compactMap { $0 })
            }
            step = keyturn_getopt_next(count, argv, shortOptions, table)
        }
        parsed.operands = argv[Int(step.next)...].compactMap { $0.map { NegativeNumber.shown(String(cString: $0)) } }
        return parsed
    }

    /// The value of the first long option, above any character.
    private static let firstValue: Int32 = 0x1000

    private func option(for value: Int32) -> Option? {
        if value >= Self.firstValue { return options[Int(value - Self.firstValue)] }
        return options.first { $0.short?.asciiValue.map(Int32.init) == value }
    }

    private func longOptions(_ names: [UnsafeMutablePointer<CChar>?]) -> [CSystem.option] {
        var rows: [CSystem.option] = []
        for (index, name) in names.enumerated() {
            let takesArgument: Int32 = options[index].argument == nil ? 0 : 1
            let value = Self.firstValue + Int32(index)
            rows.append(CSystem.option(name: UnsafePointer(name), has_arg: takesArgument, flag: nil, val: value))
        }
        return rows + [CSystem.option()]
    }

    /// `+` stops at the first operand; `:` distinguishes a missing argument from an unknown option.
    private var shortOptions: String {
        options.reduce(into: stopsAtFirstOperand ? "+:" : ":") { letters, option in
            guard let short = option.short else { return }
            letters.append(short)
            if option.argument != nil { letters.append(":") }
        }
    }

    /// The error for an argument that `getopt_long` rejected.
    private func mistake(_ step: keyturn_getopt_step, in argv: [UnsafeMutablePointer<CChar>]) -> UsageError {
        if let option = option(for: step.mistaken) {
            return step.value == Int32(UInt8(ascii: ":"))
                ? .missingArgument(option, command: command) : .unexpectedArgument(option, command: command)
        }
        if step.mistaken > 0, step.mistaken < 0x80 {
            let letter = Character(Unicode.Scalar(UInt8(step.mistaken)))
            if later.contains(where: { $0.short == letter }) { return .earlyOption("-\(letter)") }
            return .unknownOption(
                "-\(letter)", near: instead(of: "-\(letter)") ?? option(startingWith: letter), command: command)
        }
        let text = String(cString: argv[Int(step.next) - 1])
        let name = String(text.drop { $0 == "-" }.prefix { $0 != "=" })
        return unknown(name)
    }

    private func unknown(_ name: String) -> UsageError {
        if later.contains(where: { $0.long == name }) { return .earlyOption("--\(name)") }
        let names = options.map(\.long)
        let candidates = names.filter { $0.hasPrefix(name) }.map { "--\($0)" }
        if candidates.count > 1 { return .ambiguousOption("--\(name)", candidates: candidates, command: command) }
        let near = instead(of: "--\(name)") ?? nearest(to: name, in: names).map { "--\($0)" }
        return .unknownOption("--\(name)", near: near, command: command)
    }

    /// What to type instead of another program's option: one of this command, or before its name, of a command.
    private func instead(of word: String) -> String? {
        func spelling(in options: [Option]) -> String? { options.lazy.compactMap { $0.otherSpellings[word] }.first }
        return spelling(in: options) ?? spelling(in: later).map { "\($0) after the command" }
    }

    /// The first option that begins with the letter of an unknown one. The command's options come first.
    private func option(startingWith letter: Character) -> String? {
        options.first { $0.long.first == letter }.map { "--\($0.long)" }
    }

    private func check(_ given: ParsedOptions.Given) throws(UsageError) {
        guard let argument = given.argument else { return }
        let choices = given.option.choices
        if !choices.isEmpty, !choices.contains(argument) {
            throw .unknownChoice(given.option, argument: argument, near: nearest(to: argument, in: choices))
        }
        if argument.isEmpty { throw .missingArgument(given.option, command: command) }
    }
}

/// Hides a negative number like `-50002` from `getopt_long`, which would read options: replaces its dash with the
/// mathematical minus sign.
enum NegativeNumber {
    private static let stand = "\u{2212}"

    static func hidden(_ word: String) -> String {
        let digits = word.dropFirst()
        let isNumber = word.hasPrefix("-") && !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
        return isNumber ? stand + digits : word
    }

    static func shown(_ word: String) -> String {
        word.hasPrefix(stand) ? "-" + word.dropFirst() : word
    }
}
