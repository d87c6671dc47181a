import MSAL

/// A change to a request that a flow holds (`keyturn step`), with what a specification demands of whoever gets the request.
package struct WhatIf: Sendable, Equatable {
    package enum Demand: Sendable, Equatable {
        /// The authority must reject the request, or at the latest the token request that follows.
        case rejected
        /// This program must reject what comes back.
        case noticedHere
        /// The authority may accept it.
        case open
    }

    package var title: String
    package var edits: [MSALRequestEdit]
    package var demand = Demand.open
    /// What follows, and why that is right.
    package var lesson = ""
    /// The section that demands it; empty for a change of the user's own.
    package var source = ""
    fileprivate var roles: Set<Exchange.Role> = []

    private init(
        _ title: String, _ roles: Set<Exchange.Role>, _ edits: [MSALRequestEdit], _ demand: Demand, _ source: String,
        _ lesson: String
    ) {
        (self.title, self.edits, self.demand, self.lesson, self.source) = (title, edits, demand, lesson, source)
        self.roles = roles
    }

    /// A change of the user's own.
    package init(_ edit: MSALRequestEdit) {
        title = edit.summary
        edits = [edit]
    }

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

    /// What a recorded sign-in has of its own, in the request that begins an own one; `nil` for another request, or if both
    /// are the same.
    ///
    /// The client, the redirect URI and how its response returns are the user's own, as is what the recording hides.
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

    package static let all: [WhatIf] = [
        WhatIf(
            "Another redirect URI", pages, [.append("/other", to: "redirect_uri")], .rejected, "RFC 9700 §4.1.3",
            "The authority compares the whole URI with the registered ones, or codes leak. It shows an error on its own page."
        ),
        WhatIf(
            "No PKCE", pages, [.leaveOut("code_challenge"), .leaveOut("code_challenge_method")], .rejected,
            "RFC 9700 §4.8.2",
            "The token request still has a verifier. Without a challenge, the authority must reject it as a downgrade."),
        WhatIf(
            "A challenge that doesn't fit", pages, [.alter("code_challenge")], .rejected, "RFC 7636 §4.6",
            "The page opens as usual. The verifier doesn't fit, so the token request fails."),
        WhatIf(
            "A plain challenge", pages, [.replace("code_challenge_method", with: "plain")], .rejected, "RFC 7636 §4.6",
            "The verifier is then compared as it is with the challenge, which is its hash, so the token request fails."),
        WhatIf(
            "A wrong nonce", pages, [.alter("nonce")], .noticedHere, "OpenID Connect Core §3.1.3.7",
            "The authority copies the nonce into the ID token. Keyturn compares it, and rejects a replayed token."),
        WhatIf(
            "No nonce", pages, [.leaveOut("nonce")], .noticedHere, "OpenID Connect Core §3.1.3.7",
            "The ID token has no nonce, so Keyturn can't tell it from a replayed one, and rejects it."),
        WhatIf(
            "A wrong state", pages, [.alter("state")], .noticedHere, "RFC 6749 §10.12",
            "The response has a state that Keyturn didn't send, as in a forged request. Keyturn ignores it and waits on."
        ),
        WhatIf(
            "One scope more", pages, [.append(" keyturn.step", to: "scope")], .open, "RFC 6749 §3.3",
            "The authority may ignore the scope, ask for consent, or answer invalid_scope."),
        WhatIf(
            "Another client ID", pages, [.alter("client_id")], .rejected, "RFC 6749 §4.1.2.1",
            "An unknown client has no registered redirect URI, so the authority must not return to it."),
        WhatIf(
            "Another resource", pages, [.replace("resource", with: "https://unknown.example/")], .open, "RFC 8707 §2",
            "An authority that knows this parameter answers invalid_target. Others ignore it."),
        WhatIf(
            "A token in the URL", pages, [.replace("response_type", with: "token")], .rejected, "RFC 9700 §2.1.2",
            "The implicit grant puts the token into the browser's history. A new registration doesn't allow it."),
        WhatIf(
            "No page at all", pages, [.replace("prompt", with: "none")], .open, "OpenID Connect Core §3.1.2.6",
            "Without a session in the browser, the authority must answer login_required or the like."),
        WhatIf(
            "No verifier", [.codeGrant], [.leaveOut("code_verifier")], .rejected, "RFC 9700 §4.8.2",
            "Without the verifier, anyone who saw the code could redeem it."),
        WhatIf(
            "Another verifier", [.codeGrant], [.alter("code_verifier")], .rejected, "RFC 7636 §4.6",
            "Its hash isn't the challenge of the page, so an authority answers invalid_grant."),
        WhatIf(
            "Another redirect URI", [.codeGrant], [.append("/other", to: "redirect_uri")], .rejected,
            "RFC 6749 §4.1.3", "It must be the one of the page, or a code that was sent elsewhere could be redeemed."),
        WhatIf(
            "No redirect URI", [.codeGrant], [.leaveOut("redirect_uri")], .rejected, "RFC 6749 §4.1.3",
            "The page had one, so the token request needs it too."),
        WhatIf(
            "Another client ID", [.codeGrant], [.alter("client_id")], .rejected, "RFC 6749 §4.1.3",
            "The code was issued to another client."),
        WhatIf(
            "A wrong code", [.codeGrant], [.alter("code")], .rejected, "RFC 6749 §5.2",
            "The authority never issued it."),
        WhatIf(
            "The code twice", [.codeGrant], [.sendAgain], .rejected, "RFC 6749 §4.1.2",
            "A code is valid once. The second use must fail, and should revoke what the first one got."),
        WhatIf(
            "A wrong refresh token", [.refreshGrant], [.alter("refresh_token")], .rejected, "RFC 6749 §5.2",
            "The authority never issued it. The cached one stays valid."),
        WhatIf(
            "One scope more", [.refreshGrant], [.replace("scope", with: "openid keyturn.step")], .rejected,
            "RFC 6749 §6", "A refresh can't extend what the user consented to."),
        WhatIf(
            "Another client ID", [.refreshGrant], [.alter("client_id")], .rejected, "RFC 6749 §6",
            "The refresh token is bound to the client that it was issued to."),
        WhatIf(
            "A wrong device code", [.deviceGrant], [.alter("device_code")], .rejected, "RFC 8628 §3.5",
            "The authority never issued it, so it can't wait for the user."),
        WhatIf(
            "Another client ID", [.deviceGrant, .device], [.alter("client_id")], .rejected, "RFC 6749 §5.2",
            "The authority doesn't know this client, or the code was issued to another one."),
    ]
}

extension MSALRequestEdit {
    /// Whether it also makes sense for a request without the parameter.
    fileprivate var adds: Bool {
        guard case .replace = self else { return false }
        return true
    }
}

/// How a flow with a changed request ended.
package enum ChangedFlowEnding: Sendable, Equatable {
    /// Everybody accepted everything, and the result was dropped.
    case accepted
    case failed(String)
    case cancelled
}

extension WhatIf {
    /// What became of a changed request, beside what is demanded; `nil` while that is open.
    ///
    /// - Parameters:
    ///   - exchanges: the changed exchange and those after it.
    ///   - ending: `nil` while the flow runs.
    ///   - isIgnored: whether the flow ignored a response.
    package func finding(
        _ exchanges: [MSALFlowExchange], _ ending: ChangedFlowEnding?, isIgnored: Bool = false
    ) -> CheckFinding? {
        // A code is proof enough, whatever the token request says of it.
        let isReturned =
            exchanges.contains { $0.role == .response && $0.rejectedBy == nil }
            || isIgnored && edits.contains { $0.parameter == "redirect_uri" }
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
