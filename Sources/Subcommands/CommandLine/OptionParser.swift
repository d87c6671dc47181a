import CSystem
import Diagnosis
import Foundation
import KeyturnSystem

/// Parses arguments with `getopt_long`: long and short options, `--name=value`, unambiguous abbreviations and `--`.
package struct OptionParser: Sendable {
    package var options: [Option]
    /// The command, for errors; `nil` before its name.
    package var command: String?
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

    private static let firstValue: Int32 = 0x1000

    private func option(for value: Int32) -> Option? {
        if value >= Self.firstValue { return options[Int(value - Self.firstValue)] }
        return options.first { $0.short?.asciiValue.map(Int32.init) == value }
    }

    private func longOptions(_ names: [UnsafeMutablePointer<CChar>?]) -> [CSystem.option] {
        zip(names, options).enumerated().map { index, row in
            CSystem.option(
                name: UnsafePointer(row.0), has_arg: row.1.argument == nil ? 0 : 1, flag: nil,
                val: Self.firstValue + Int32(index))
        } + [CSystem.option()]
    }

    /// `+` stops at the first operand; `:` distinguishes a missing argument from an unknown option.
    private var shortOptions: String {
        options.reduce(into: stopsAtFirstOperand ? "+:" : ":") { letters, option in
            guard let short = option.short else { return }
            letters.append(short)
            if option.argument != nil { letters.append(":") }
        }
    }

    private func mistake(_ step: keyturn_getopt_step, in argv: [UnsafeMutablePointer<CChar>]) -> UsageError {
        if let option = option(for: step.mistaken) {
            return step.value == Int32(UInt8(ascii: ":"))
                ? .missingArgument(option, command: command) : .unexpectedArgument(option, command: command)
        }
        if step.mistaken > 0, step.mistaken < 0x80 {
            let letter = Character(Unicode.Scalar(UInt8(step.mistaken)))
            if later.contains(where: { $0.short == letter }) { return .earlyOption("-\(letter)") }
            // The command's options come first.
            let near = instead(of: "-\(letter)") ?? options.first { $0.long.first == letter }.map { "--\($0.long)" }
            return .unknownOption("-\(letter)", near: near, command: command)
        }
        let text = String(cString: argv[Int(step.next) - 1])
        let name = String(text.drop { $0 == "-" }.prefix { $0 != "=" })
        if later.contains(where: { $0.long == name }) { return .earlyOption("--\(name)") }
        let names = options.map(\.long)
        let candidates = names.filter { $0.hasPrefix(name) }.map { "--\($0)" }
        if candidates.count > 1 { return .ambiguousOption("--\(name)", candidates: candidates, command: command) }
        let near = instead(of: "--\(name)") ?? nearest(to: name, in: names).map { "--\($0)" }
        return .unknownOption("--\(name)", near: near, command: command)
    }

    /// What to type instead of another program's option: one of this command, or before its name, of a command.
    private func instead(of word: String) -> String? {
        func spelling(in options: [Option]) -> String? { options.lazy.compactMap { $0.instead(of: word) }.first }
        return spelling(in: options) ?? spelling(in: later).map { "\($0) after the command" }
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

/// Hides a negative number like `-50002` from `getopt_long`, which would read options: replaces its dash with a
/// character for private use, with which no word begins.
enum NegativeNumber {
    private static let stand = "\u{10DA5D}"

    static func hidden(_ word: String) -> String {
        let digits = word.dropFirst()
        let isNumber = word.hasPrefix("-") && !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
        return isNumber ? stand + digits : word
    }

    static func shown(_ word: String) -> String { word.hasPrefix(stand) ? "-" + word.dropFirst() : word }
}

package struct ParsedOptions: Sendable, Equatable {
    package var given: [Given] = []
    package var operands: [String] = []

    package struct Given: Sendable, Equatable {
        package var option: Option
        package var argument: String?
    }

    /// The last argument of the option.
    package subscript(option: Option) -> String? { given.last { $0.option == option }?.argument }

    package func all(_ option: Option) -> [String] { given.filter { $0.option == option }.compactMap(\.argument) }

    package func has(_ option: Option) -> Bool { given.contains { $0.option == option } }

    /// The options for another program to run the command with, in any folder.
    func words(without own: Option) -> [String] {
        given.filter { $0.option != own }.flatMap { given in
            let file = given.option.argument == Option.config.argument ? given.argument : nil
            return ["--\(given.option.long)", file.map { URL(filePath: $0).path } ?? given.argument].compactMap(\.self)
        }
    }
}
