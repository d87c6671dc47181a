import TerminalUI

/// The commands of the claims screen.
extension Commands {
    static let claimsCommands = [
        Command(
            .nextTab, [.tab], "Show the next token; while two are compared, compare with the next.",
            hint: "other token", in: [.claims]),
        Command(
            .compare, [.character("=")], "Compare the token with another, claim by claim, or stop that.",
            hint: "compare", in: [.claims], if: hasPartner),
        Command(
            .json, [.character("r")], "Show the token's header, claims and signature raw, or as a table again.",
            hint: "raw", in: [.claims], if: needsReadableToken),
        Command(
            .reveal, [.character("v")], "Show the signature, which makes the token work, or hide it again.",
            in: [.claims], if: showsSignature),
        Command(.idTokenTab, [.character("1")], "Show the ID token.", in: [.claims], if: hasAcquisition),
        Command(.accessTokenTab, [.character("2")], "Show the access token.", in: [.claims], if: hasAcquisition),
        Command(.previousTab, [.backTab], "Show the token before.", in: [.claims]),
        Command(
            .renew, [.character("R")], "Have the authority renew this account's token now, and show the new one.",
            in: [.claims], if: canRenew),
        Command(
            .pasteToken, [.character("t")], "Read a token from elsewhere: paste it.", in: [.accounts, .claims]),
        Command(.readToken, [.enter], "Read what was pasted.", hint: "read it", in: [.tokenEntry]),
        Command(
            .back, [.escape], "Forget what was pasted and go back.", hint: "back", group: .everywhere,
            in: [.tokenEntry]),
    ]

    private static let hasPartner: @Sendable (Model) -> Availability = { model in
        guard case .claims(let state) = model.routes.last else { return .available }
        guard case .decoded = state.token else { return needsReadableToken(model) }
        return state.partners.isEmpty
            ? .unavailable("There is no other token that can be read. t reads one from elsewhere.") : .available
    }

    private static let hasAcquisition: @Sendable (Model) -> Availability = { model in
        guard case .claims(let state) = model.routes.last, state.acquisition == nil else { return .available }
        return .unavailable("Only the pasted token is here.")
    }

    private static let showsSignature: @Sendable (Model) -> Availability = { model in
        guard case .claims(let state) = model.routes.last, !state.showsJSON else { return .available }
        return .unavailable("r shows the token raw, with its signature.")
    }
}
