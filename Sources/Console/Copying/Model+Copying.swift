import AuthEngine
import TerminalUI

/// What the copy keys take from each screen, and what is said of it.
extension Model {
    /// What the visible screen shows to be taken along: the address to open, the code to enter, the selected claim, the
    /// error to quote. Nil: nothing.
    package var copyable: CopiedText? {
        if inspector != nil { return inspectorCopyable }
        switch routes.last {
        case .signIn(let state):
            if let code = state.deviceCode?.code { return CopiedText("the code", fileName: "code.txt", code.userCode) }
            return pageAddress
        case .claims(let state):
            guard !state.showsJSON, state.rows.indices.contains(state.selection) else { return nil }
            return state.rows[state.selection].copyable
        case .failure(let state):
            return CopiedText("the error", fileName: "error.txt", state.report.text(in: options.timeZone))
        case .check(let state): return state.copyable
        case .signInForm, .silent, .scenarios, .providers, .setUp, .profiles, nil: return nil
        }
    }

    /// Whether there is: the report of a flow is long, and every frame asks.
    var hasCopyable: Bool {
        inspector != nil && inspectedExchange == nil ? inspected != nil : copyable != nil
    }

    /// The page that a running sign-in waits for the person on.
    package var pageAddress: CopiedText? {
        guard case .signIn(let state) = routes.last else { return nil }
        let page = state.deviceCode.map { $0.code.verificationURLComplete ?? $0.code.verificationURL }
        return (page ?? state.progress.authorizationURL).map {
            CopiedText("the address", fileName: "address.txt", $0.absoluteString)
        }
    }

    private func text(for command: CommandID) -> CopiedText? {
        switch command {
        case .copyAddress: pageAddress
        case .saveText: inspected.map { CopiedText("the flow", fileName: "flow.txt", TraceReport($0).text) }
        case .saveHAR: inspected.map { CopiedText("the flow", fileName: "flow.har", TraceReport($0).har) }
        default: copyable
        }
    }

    mutating func performOnCopy(_ command: CommandID) -> [Effect] {
        guard let text = text(for: command) else { return [] }
        let id = makeEffectID()
        return [command == .copy || command == .copyAddress ? .copy(id, text) : .save(id, text)]
    }

    /// A text that the terminal cannot take goes into a file at once.
    mutating func take(copy text: CopiedText, _ outcome: CopyOutcome) -> [Effect] {
        switch outcome {
        case .sent:
            notice = Notice(
                .success, "Sent \(text.name) to the terminal's clipboard. Not there? Y writes it to a file.")
            return []
        case .refused:
            return [.save(makeEffectID(), text)]
        }
    }

    mutating func take(saved text: CopiedText, _ outcome: Outcome<String>) {
        switch outcome {
        case .success(let path):
            notice = Notice(.success, "Wrote \(text.name) to \(path), which only you can read.")
        case .failure(let report):
            notice = Notice(.warning, "\(report.headline) \(report.reason)")
        }
    }
}

extension ClaimsRow {
    fileprivate var copyable: CopiedText {
        switch self {
        case .verdict(let verdict):
            CopiedText("the check", fileName: "check.txt", "\(verdict.rule): \(verdict.explanation)")
        case .claim(let claim), .header(let claim):
            CopiedText("the value of \(claim.name)", fileName: "claim.txt", claim.text)
        case .difference(let difference):
            CopiedText(
                "both values of \(difference.name)", fileName: "claim.txt",
                [difference.left, difference.right].map { $0?.text ?? "" }.joined(separator: "\n"))
        }
    }
}
