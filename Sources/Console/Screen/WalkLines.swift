import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// The shown step of a walk as sentences, for line mode, the tour and the handout.
package struct WalkLines {
    private let walk: GuidedWalk?
    private let index: Int?
    private let diagram: SequenceDiagram?
    private let now: Date?

    init(_ context: Context) { self.init(context, step: context.walk?.shown) }

    init(_ context: Context, step index: Int?) {
        walk = context.walk
        self.index = index
        diagram = index.flatMap { context.diagram(ofStep: $0) }
        now = context.now
    }

    private var record: GuidedWalk.Record? { walk?.records[at: index] }
    private var walkStep: GuidedWalk.Step? { walk?.steps[at: index] }

    var all: [String] {
        guard let walk else { return [] }
        let head = ["\(walk.title)."]
        if let index, walk.showsEarlier {
            return head + step + [
                "This is the earlier step \(index + 1) of \(walk.steps.count). Enter n for the next one."
            ]
        }
        return head + (index == nil ? [walk.story] : step) + [walk.outlook].compactMap(\.self)
    }

    var step: [String] { stepLines.map(\.text) }

    /// The same with the kind of each line.
    package var stepLines: [Handout.Line] {
        guard let walk, let index, let step = walkStep else { return [] }
        let comment = walk.stop ?? "Note: \(step.look)"
        let flow = ["\(index + 1). \(step.instruction)"] + (diagram?.sentences.map { "   \($0)" } ?? [])
        return flow.map { Self.line($0) } + result.map { Self.line("   \($0.text)", isGood: $0.isGood) }
            + [Self.line(comment)]
    }

    private static func line(_ text: String, isGood: Bool? = nil) -> Handout.Line {
        Handout.Line(Printable.sanitize(text), isGood: isGood)
    }

    var result: [Handout.Line] {
        guard let step = walkStep, let result = record?.result else { return [] }
        switch result {
        case .done:
            switch step.action {
            case .remove: return [Self.line("Account removed.", isGood: true)]
            case .wait: return [Self.line("Done waiting.")]
            case .signIn, .acquireSilently, .call, .read: return []
            }
        case .failed(let report):
            let further = [report.cause.withoutTraceIDs, report.screenAdvice].filter { !$0.isEmpty }
            // The code of a command's failure is its exit status.
            let code = report.domain == MSALErrorDomain ? " (\(report.code))" : ""
            // The client was to reject what the authority or another program sent.
            let isBlocked = step.expected == .anyFailure
            return [Self.line((isBlocked ? "Blocked: " : "") + report.headline + code, isGood: isBlocked)]
                + further.map { Self.line($0) }
        case .responded(let response): return Self.lines(response)
        case .token(let acquisition): return Self.lines(acquisition, step, now)
        }
    }

    private static func lines(_ response: APIResponse) -> [Handout.Line] {
        let parts = ["HTTP \(response.status)", response.mediaType, Moment.count(response.size, "byte")]
        return [line(parts.filter { !$0.isEmpty }.joined(separator: ", "), isGood: response.isSuccess)]
            + (response.excerpt + [response.advice].filter { !$0.isEmpty }).map { line($0) }
    }

    private static func lines(_ acquisition: Acquisition, _ step: GuidedWalk.Step, _ now: Date?) -> [Handout.Line] {
        let source = acquisition.isFromCache ? "Token from the cache, without a request." : "New tokens."
        let left = acquisition.expiresOn.flatMap { expiry in
            now.map { "Expires in \(Moment.remaining(expiry.timeIntervalSince($0)))." }
        }
        let bad = acquisition.verdicts.filter { $0.outcome == .failed || $0.outcome == .warning }
        let passed = acquisition.verdicts.count { $0.outcome == .passed }
        let isSigned = acquisition.verdicts.contains { $0.rule == "Signature" && $0.outcome == .passed }
        let checks = "\(Moment.count(passed, "check")) passed\(isSigned ? ", including the signature" : "")"
        return [line(source, isGood: true), line("Scopes: \(acquisition.scopes.joined(separator: " "))")]
            + (left.map { [line($0)] } ?? []) + (passed == 0 ? [] : [line("ID token: \(checks).", isGood: true)])
            + bad.map { line("\($0.rule): \($0.explanation)", isGood: $0.outcome == .failed ? false : nil) }
            + claims("ID token", acquisition.idToken, step.shownClaims)
            + claims("Access token", acquisition.accessToken, step.shownClaims)
    }

    private static func claims(_ title: String, _ token: ClaimsContent, _ names: [String]) -> [Handout.Line] {
        guard case .decoded(let token) = token else { return [] }
        return token.claims.filter { names.contains($0.name) }.map { line("\(title): \($0.name) = \($0.text)") }
    }
}
