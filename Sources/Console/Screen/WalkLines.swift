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

    /// The shown step.
    init(_ context: Context) {
        self.init(context, step: context.walk?.shown)
    }

    /// - Parameter index: the step, if it was done.
    init(_ context: Context, step index: Int?) {
        walk = context.walk
        self.index = index
        diagram = index.flatMap { context.diagram(ofStep: $0) }
        now = context.now
    }

    private var record: GuidedWalk.Record? { walk?.records[at: index] }
    private var walkStep: GuidedWalk.Step? { walk?.steps[at: index] }

    /// The whole page of line mode.
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

    /// The shown step with its flow, result and explanation.
    var step: [String] { stepLines.map(\.text) }

    /// The same with the kind of each line.
    package var stepLines: [Line] {
        guard let walk, let index, let step = walkStep else { return [] }
        let comment = walk.stop ?? "Note: \(step.look)"
        let flow = ["\(index + 1). \(step.instruction)"] + (diagram?.sentences.map { "   \($0)" } ?? [])
        return flow.map { Line(.plain, $0) } + result.map { Line($0.kind, "   \($0.text)") } + [Line(.plain, comment)]
    }

    package struct Line: Sendable {
        package enum Kind: Sendable { case good, bad, plain }
        package var kind: Kind
        package var text: String

        init(_ kind: Kind, _ text: String) {
            self.kind = kind
            self.text = Printable.sanitize(text)
        }
    }

    /// What the application got from the shown step.
    package var result: [Line] {
        guard let step = walkStep, let result = record?.result else { return [] }
        switch result {
        case .done:
            switch step.action {
            case .remove: return [Line(.good, "Account removed.")]
            case .wait: return [Line(.plain, "Done waiting.")]
            case .signIn, .acquireSilently, .call, .read: return []
            }
        case .failed(let report):
            let further = [report.cause.withoutTraceIDs, report.screenAdvice].filter { !$0.isEmpty }
            // The code of a command's failure is its exit status.
            let code = report.domain == MSALErrorDomain ? " (\(report.code))" : ""
            // The client was to reject what the authority or another program sent.
            let isBlocked = step.expected == .anyFailure
            return [Line(isBlocked ? .good : .bad, (isBlocked ? "Blocked: " : "") + report.headline + code)]
                + further.map { Line(.plain, $0) }
        case .responded(let response): return Self.lines(response)
        case .token(let acquisition): return Self.lines(acquisition, step, now)
        }
    }

    private static func lines(_ response: APIResponse) -> [Line] {
        let parts = ["HTTP \(response.status)", response.mediaType, Moment.count(response.size, "byte")]
        return [
            Line(response.isSuccess ? .good : .bad, parts.filter { !$0.isEmpty }.joined(separator: ", "))
        ] + response.excerpt.map { Line(.plain, $0) } + (response.advice.isEmpty ? [] : [Line(.plain, response.advice)])
    }

    private static func lines(_ acquisition: Acquisition, _ step: GuidedWalk.Step, _ now: Date?) -> [Line] {
        let source = acquisition.isFromCache ? "Token from the cache, without a request." : "New tokens."
        let left = acquisition.expiresOn.flatMap { expiry in
            now.map { "Expires in \(Moment.remaining(expiry.timeIntervalSince($0)))." }
        }
        let bad = acquisition.verdicts.filter { $0.outcome == .failed || $0.outcome == .warning }
        let passed = acquisition.verdicts.count { $0.outcome == .passed }
        let isSigned = acquisition.verdicts.contains { $0.rule == "Signature" && $0.outcome == .passed }
        let checks =
            passed == 0
            ? []
            : [
                Line(
                    .good,
                    "ID token: \(Moment.count(passed, "check")) passed\(isSigned ? ", including the signature" : "").")
            ]
        return [Line(.good, source), Line(.plain, "Scopes: \(acquisition.scopes.joined(separator: " "))")]
            + (left.map { [Line(.plain, $0)] } ?? []) + checks
            + bad.map { Line($0.outcome == .failed ? .bad : .plain, "\($0.rule): \($0.explanation)") }
            + claims("ID token", acquisition.idToken, step.shownClaims)
            + claims("Access token", acquisition.accessToken, step.shownClaims)
    }

    private static func claims(_ title: String, _ token: ClaimsContent, _ names: [String]) -> [Line] {
        guard case .decoded(let token) = token else { return [] }
        return token.claims.filter { names.contains($0.name) }.map { Line(.plain, "\(title): \($0.name) = \($0.text)") }
    }
}
