import Console
import Diagnosis
import Foundation
import Glibc
import JSON
import MSAL
import TerminalUI

/// A failure as text or JSON, safe to print.
package struct FailureReport: Sendable, Equatable {
    package var exitCode: ExitCode
    package var domain: String
    package var code: Int
    package var name: String
    package var internalCode: Int?
    /// The outcome in one sentence, as on the screen.
    package var headline: String
    package var description: String
    package var oauthError: String?
    package var subError: String?
    package var stsCodes: [Int]?
    package var correlationID: String?
    /// Seconds to wait before the next request.
    package var retryAfter: Int?
    /// The library's failure kind.
    package var kind: String?
    package var nextStep: String
    /// The page that waited for the user when the command was interrupted.
    package var page: String?

    /// The domain of the program's own failures, whose code is the exit status.
    package static let ownDomain = "KeyturnErrorDomain"

    package init(_ error: any Error) {
        switch error {
        case let error as UsageError:
            self.init(CommandFailure(.usage, name: "usage", error.description, nextStep: error.nextStep))
        case let error as ConfigurationError:
            let only = error.mistakes.count == 1 ? error.mistakes.first : nil
            let messages = only?.outcome(in: error.file) ?? error.messages.joined(separator: "\n")
            self.init(
                CommandFailure(.configuration, name: "configuration", messages, nextStep: only?.advice ?? ""))
            headline = error.headline
        case let error as CommandFailure:
            self.init(error)
        case let error as TextSinkFailure:
            self.init(CommandFailure.unwritable(error.path, error.code, name: "output"))
        case let error as Interrupted:
            let name = Self.signals[error.signal] ?? "signal \(error.signal)"
            self.init(
                CommandFailure(
                    ExitCode(error), name: "interrupted",
                    ["Ended by \(name).", error.outcome].filter { !$0.isEmpty }.joined(separator: " "),
                    nextStep: error.nextStep))
        case is CancellationError:
            self.init(CommandFailure(.cancelled, name: "cancelled", "Cancelled.", nextStep: ""))
        default:
            self.init(library: error as NSError)
        }
    }

    private static let signals = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"]

    private init(_ failure: CommandFailure) {
        exitCode = failure.exitCode
        domain = Self.ownDomain
        code = Int(failure.exitCode.rawValue)
        name = failure.name
        description =
            failure.description.split(separator: "\n").map(Printable.sanitize).joined(separator: "\n")
            .withoutURLPasswords
        headline = description
        nextStep = Printable.sanitize(failure.nextStep)
    }

    private init(library error: NSError) {
        exitCode = ExitCode(error)
        domain = error.domain
        code = error.code
        name = Self.name(of: error)
        internalCode = error.userInfo[MSALInternalErrorCodeKey] as? Int
        description = Printable.sanitize(error.localizedDescription)
        headline = Printable.sanitize(ErrorReport.headline(of: error))
        oauthError = (error.userInfo[MSALOAuthErrorKey] as? String).map(Printable.sanitize)
        subError = (error.userInfo[MSALOAuthSubErrorKey] as? String).map(Printable.sanitize)
        stsCodes = error.userInfo[MSALSTSErrorCodesKey] as? [Int]
        correlationID = (error.userInfo[MSALCorrelationIDKey] as? String).map(Printable.sanitize)
        retryAfter = (error.userInfo[MSALRetryAfterKey] as? Double).map { Int($0.rounded(.up)) }
        kind = error.failureKind.rawValue
        let suggestion = Printable.sanitize(error.localizedRecoverySuggestion ?? "")
        nextStep =
            suggestion.hasPrefix(Self.toSignIn)
            ? "Run 'keyturn sign-in'.\(suggestion.dropFirst(Self.toSignIn.count))" : suggestion
    }

    /// The start of the library's advice to sign in.
    private static let toSignIn = "Sign in interactively."

    /// The name of the internal error, or of the error.
    private static func name(of error: NSError) -> String {
        guard error.domain == MSALErrorDomain else { return error.domain }
        let inner = (error.userInfo[MSALInternalErrorCodeKey] as? Int).flatMap(MSALInternalError.init)
        return inner.map { "\($0)" } ?? MSALError(rawValue: error.code).map { "\($0)" } ?? "unknown"
    }

    /// The text for the terminal: outcome, cause, next step, and the details for support.
    package var text: String {
        let description = description.withoutTraceIDs
        // "Can't reach the host: connection refused." stays one sentence.
        let isSentence = description.hasPrefix("\(headline.hasSuffix(".") ? headline.dropLast() : headline[...]):")
        var lines = (isSentence ? description : headline).split(separator: "\n").map { "keyturn: \($0)" }
        let cause = isSentence ? "" : ErrorReport.cause(in: description, after: headline)
        lines += [cause, nextStep].flatMap { $0.split(separator: "\n") }.map { "         \($0)" }
        if domain != Self.ownDomain {
            let numbers = [internalCode, code].compactMap { $0.map(String.init) }.joined(separator: ", ")
            let quoted = ["\(name) \(numbers)", correlationID.map { "correlation ID \($0)" }].compactMap(\.self)
            lines.append("         (\(quoted.joined(separator: ", ")))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// `{"error": {…}}` on one line.
    package var json: String {
        let error = JSONValue(members: [
            "domain": .string(domain), "code": JSONValue(code), "name": .string(name),
            "internalCode": internalCode.map { JSONValue($0) }, "headline": .string(headline),
            "description": .string(description), "oauthError": oauthError.map(JSONValue.string),
            "subError": subError.map(JSONValue.string), "stsCodes": stsCodes.map { .array($0.map { JSONValue($0) }) },
            "correlationId": correlationID.map(JSONValue.string), "retryAfter": retryAfter.map { JSONValue($0) },
            "kind": kind.map(JSONValue.string), "nextStep": .string(nextStep), "url": page.map(JSONValue.string),
        ])
        return JSONValue.object(["error": error]).line
    }
}
