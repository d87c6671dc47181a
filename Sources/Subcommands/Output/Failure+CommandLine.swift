import Console
import Diagnosis
import Foundation
import JSON
import KeyturnSystem
import MSAL
import TerminalUI

extension Failure {
    package init(reporting error: any Error) {
        switch error {
        case let error as UsageError:
            self.init(.usage, name: "usage", error.description, nextStep: error.nextStep)
        case let error as ConfigurationError:
            let only = error.mistakes.count == 1 ? error.mistakes.first : nil
            let messages = only?.outcome(in: error.file) ?? error.messages.joined(separator: "\n")
            self.init(.configuration, name: "configuration", messages, nextStep: only?.advice ?? "")
            headline = error.headline
        case let error as TextSinkFailure: self = .unwritable(error.path, error.code, name: "output")
        case let error as Interrupted:
            let name = Self.signals[error.signal].map { "Ended by \($0)." }
            self.init(
                ExitCode(error), name: error.signal == SIGALRM ? "timeout" : Self.interrupted,
                [name, error.outcome].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " "),
                nextStep: error.nextStep)
        case let limit as SystemLimit:
            self.init(.failed, name: "systemLimit", "\(limit.problem).", nextStep: "\(limit.remedy).")
        case is CancellationError:
            self.init(.cancelled, name: "cancelled", "Cancelled.", nextStep: "")
        default:
            self = Failure(error).withDictionaryAdvice
            // An internal type name as domain tells the user nothing.
            if !(type(of: error) is AnyClass), domain == String(reflecting: type(of: error)) {
                self.init(.failed, name: "other", reason, nextStep: advice)
            }
        }
        self = told(\.command)
        headline = Self.lines(headline)
        reason = Self.lines(reason)
        advice = Printable.sanitize(advice)
        oauthError = oauthError.map(Printable.sanitize)
        oauthSubError = oauthSubError.map(Printable.sanitize)
        correlationID = correlationID.map(Printable.sanitize)
    }

    private static let signals = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"]

    static let interrupted = "interrupted"

    private static func lines(_ text: String) -> String {
        text.split(separator: "\n").map(Printable.sanitize).joined(separator: "\n").withoutURLPasswords
    }

    package var exitCode: ExitCode { ExitCode(self) }

    /// The text for the terminal: outcome, cause, next step, and the details for support.
    package var text: String { text(columns: nil) }

    /// - Parameter columns: the width of the terminal; `nil` for whole lines.
    package func text(columns: Int?) -> String {
        let reason = reason.withoutTraceIDs
        // "Can't reach the host: connection refused." stays one sentence.
        let isSentence = reason.hasPrefix("\(headline.hasSuffix(".") ? headline.dropLast() : headline[...]):")
        let lines = (isSentence ? reason : headline).split(separator: "\n")
        let cause = isSentence ? "" : Self.cause(in: reason, after: headline)
        let look = OutputLook(columns: columns)
        var text = lines.map { look.hang(String($0), after: Self.start, step: Self.step) }
        text += [cause, advice].flatMap { $0.split(separator: "\n") }.map {
            look.hang(String($0), after: Self.indent, step: Self.step)
        }
        if !isOfProgram {
            let numbers = [internalCode, code].compactMap { $0.map(String.init) }.joined(separator: ", ")
            let quoted = ["\(name) \(numbers)", correlationID.map { "correlation ID \($0)" }].compactMap(\.self)
            text.append(look.hang("(\(quoted.joined(separator: ", ")))", after: Self.indent, step: Self.step))
        }
        return text.joined()
    }

    private static let start = "keyturn: "
    private static let indent = String(repeating: " ", count: start.count)
    /// The further indent of a wrapped line's rest, by which `Diagnosis/OwnError` finds the lines in a copy.
    private static let step = 2

    /// `{"error": {…}}` on one line, with the page that waited for the user when the command was interrupted.
    package func json(page: String? = nil) -> String {
        let error = JSONValue(members: [
            "domain": .string(domain), "code": JSONValue(code), "name": .string(name),
            "internalCode": internalCode.map { JSONValue($0) }, "headline": .string(headline),
            "description": .string(reason), "oauthError": oauthError.map(JSONValue.string),
            "subError": oauthSubError.map(JSONValue.string),
            "stsCodes": serviceCodes.isEmpty ? nil : .array(serviceCodes.map { JSONValue($0) }),
            "correlationId": correlationID.map(JSONValue.string),
            "retryAfter": retryAfter.map { JSONValue(Int($0.rounded(.up))) },
            "kind": isOfProgram ? nil : .string(kind.rawValue), "nextStep": .string(advice),
            "url": page.map(JSONValue.string),
        ])
        return JSONValue.object(["error": error]).line
    }

    /// Outcome, cause and next step in one line, for a program.
    var sentences: String {
        let cause =
            reason.hasPrefix(headline.hasSuffix(".") ? headline.dropLast() : headline[...])
            ? reason : "\(headline) \(reason)"
        return [cause, advice].filter { !$0.isEmpty }.joined(separator: " ").split(separator: "\n").joined(
            separator: " ")
    }
}

extension Failure.NextStep {
    /// The command line's words. Empty where the advice says it all.
    fileprivate var command: String {
        switch self {
        case .signIn: "Run 'keyturn sign-in'."
        case .signInAsAdvised, .tryAgain, .check, .changeRequest, .changeProfile, .chooseProfile: ""
        }
    }
}
