import JSON
import MSAL

/// A change to a request that a flow holds (`keyturn step`), with what a specification demands of whoever gets the request.
package struct WhatIf: Sendable, Equatable {
    package enum Demand: String, Sendable {
        /// The authority must reject the request, or at the latest the token request that follows.
        case rejected
        /// This program must reject what comes back.
        case noticedHere
        case open
    }

    package var title: String
    package var edits: [MSALRequestEdit]
    package var demand = Demand.open
    /// What follows, and why that is right.
    package var lesson = ""
    /// The section that demands it; empty for a change of the user's own.
    package var source = ""
    private(set) var roles: Set<Exchange.Role> = []

    package init(_ edit: MSALRequestEdit) { (title, edits) = (edit.summary, [edit]) }

    /// Several changes at once, of which nobody can say which one was rejected; `nil` for none.
    package init?(joining changes: [WhatIf]) {
        guard let first = changes.first else { return nil }
        self = first
        guard changes.count > 1 else { return }
        title = changes.map(\.title).joined(separator: " and ")
        (edits, demand, lesson, source) = (changes.flatMap(\.edits), .open, "", "")
    }

    /// What is known before anybody has noticed.
    package var prospect: String {
        let page =
            Self.pages.isDisjoint(with: roles) ? "" : " If the authority's page shows an error, it rejected this."
        return [title, ": sent.", page, source.isEmpty ? "" : " \(lesson) (\(source))"].joined()
    }

    /// What a recorded sign-in has of its own, in the request that begins an own one; `nil` for another request.
    /// Not the client, the redirect URI and how its response returns, nor what the recording hides: these are the user's own.
    package init?(like recorded: RecordedSignIn, in request: MSALHeldRequest) {
        let role = request.exchange.role
        guard recorded.flow == .device ? role == .device : Self.pages.contains(role), request.isEditable else {
            return nil
        }
        let own = request.exchange.parameters.reduce(into: [:]) { $0[$1.name] = $1.value }
        edits = recorded.parameters.filter { !RecordedSignIn.own.contains($0.name) && own[$0.name] != $0.value }
            .map { .replace($0.name, with: $0.value) }
        guard !edits.isEmpty else { return nil }
        title = "As recorded (\(recorded.place))"
    }

    /// The changes that fit a request, which has all of their parameters.
    package static func fitting(_ request: MSALHeldRequest) -> [WhatIf] {
        guard request.isEditable else { return [] }
        let values = request.exchange.parameters.reduce(into: [:]) { $0[$1.name] = $1.value }
        return all.filter { what in
            what.roles.contains(request.exchange.role)
                && what.edits.allSatisfy { edit in edit.parameter.map { edit.adds || values[$0] != nil } ?? true }
        }.map { what in
            // No double slash.
            guard case .append(let end, to: let name)? = what.edits.first, values[name]?.hasSuffix("/") == true else {
                return what
            }
            var what = what
            what.edits = [.append(String(end.trimmingPrefix("/")), to: name)]
            return what
        }
    }

    private static let pages: Set<Exchange.Role> = [.authorize, .push]

    /// Those of `Resources/parameters.json`, in its order. A test validates them.
    package static let all = ParameterDictionary.changes.compactMap { try? WhatIf($0) }

    private init(_ row: JSONValue) throws(JSONValue.UnexpectedMember) {
        title = try row.required("title", \.string)
        roles = Set(try row.required("roles", \.strings).compactMap(Exchange.Role.init))
        edits = try row.required("edits", \.array).compactMap(MSALRequestEdit.init)
        demand = try row.required("demand") { $0.string.flatMap(Demand.init) }
        (source, lesson) = (try row.required("source", \.string), try row.required("lesson", \.string))
    }
}

extension MSALRequestEdit {
    fileprivate init?(_ json: JSONValue) {
        if let name = json["leaveOut"]?.string {
            self = .leaveOut(name)
        } else if let name = json["alter"]?.string {
            self = .alter(name)
        } else if let text = json["append"]?.string, let name = json["to"]?.string {
            self = .append(text, to: name)
        } else if let name = json["replace"]?.string, let value = json["with"]?.string {
            self = .replace(name, with: value)
        } else if json["sendAgain"] == true {
            self = .sendAgain
        } else {
            return nil
        }
    }

    /// Whether it also makes sense for a request without the parameter.
    fileprivate var adds: Bool { if case .replace = self { true } else { false } }
}

package enum ChangedFlowEnding: Sendable, Equatable {
    case accepted
    case failed(String)
    case cancelled
}

extension WhatIf {
    /// What became of a changed request and the exchanges after it; `nil` while that is open.
    package func finding(
        _ exchanges: [MSALFlowExchange], _ ending: ChangedFlowEnding?, isIgnored: Bool = false,
        cameElsewhere: Bool = false
    ) -> CheckFinding? {
        // A code is proof enough, whatever the token request says of it.
        let isReturned =
            exchanges.contains { $0.role == .response && $0.rejectedBy == nil }
            || cameElsewhere && edits.contains { $0.parameter == "redirect_uri" }
        if demand == .rejected, isDecidedAtPage, isReturned { return acceptance }
        if let error = exchanges.lazy.compactMap(\.rejectedBy).first {
            return finding(
                demand == .noticedHere ? .warning : .passed,
                "The authority rejected it (\(error))\(demand == .rejected ? ", as it must" : "").")
        }
        if isIgnored, demand == .noticedHere { return finding(.passed, "Keyturn ignored the response, as it must.") }
        switch ending {
        case nil: return nil
        case .cancelled:
            return finding(
                .skipped,
                "No response came. If the authority's page shows an error, the authority rejected it"
                    + (demand == .rejected ? ", as it must." : "."))
        case .failed(let headline):
            // A page that never returns is one that shows an error.
            let isNoticed = demand != .rejected
            return finding(
                isNoticed ? .passed : .warning,
                (isNoticed
                    ? "Keyturn rejected what came back: " : "The authority didn't reject it. The flow ended here: ")
                    + headline)
        case .accepted:
            switch demand {
            case .open: return finding(.passed, "The authority accepted it, which it may. Nothing of it is kept.")
            case .rejected: return acceptance
            case .noticedHere:
                return finding(.failed, "Neither the authority nor Keyturn noticed.", fix: "Report this to Keyturn.")
            }
        }
    }

    /// Whether the authority must not return to the application. What concerns PKCE is compared in the token request.
    private var isDecidedAtPage: Bool {
        !Self.pages.isDisjoint(with: roles) && !edits.contains { $0.parameter?.hasPrefix("code_challenge") ?? true }
    }

    private var acceptance: CheckFinding {
        finding(
            .failed, "The authority accepted it, which it must not. Nothing of it is kept.",
            fix: "Tell whoever runs the authority: \(source) demands a rejection.")
    }

    private func finding(_ verdict: CheckFinding.Verdict, _ fact: String, fix: String? = nil) -> CheckFinding {
        CheckFinding(title, verdict, source.isEmpty ? fact : "\(fact) \(lesson) (\(source))", fix: fix)
    }
}

extension MSALFlowExchange {
    /// The error with which the authority rejected the request, if it did. A user who hasn't entered the device code yet is none.
    fileprivate var rejectedBy: String? {
        guard direction != .resource, direction != .frontChannelRequest else { return nil }
        func value(_ name: String) -> String? {
            parameters.first { $0.name == name && $0.place != .requestBody }?.shareableValue
        }
        if let error = value("error") {
            guard !["authorization_pending", "slow_down"].contains(error) else { return nil }
            let words = value("error_description").map { ": \($0.withoutTraceIDs.prefix(120))" } ?? ""
            return error + words
        }
        return status.flatMap { $0 >= 400 ? "HTTP \($0)" : nil }
    }
}
