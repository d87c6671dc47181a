import MSAL

/// A value of a text, with its role and whose it is.
struct RoleFact: Sendable, Equatable {
    /// Whose it is. The text is its label.
    enum Owner: String, Sendable, CaseIterable {
        case sent = "Sent", redeemed = "Token request", registered = "Registered", served = "Received at"
        case configured = "Configured", token = "Token", metadata = "Metadata", expected = "Expected", received =
            "Received"
        case opened = "Opened", granted = "Granted", needed = "Needed", listening = "Listens at", demanded =
            "API server"

        /// After the role, in a sentence.
        var phrase: String { KnownCause.values["owners"]?[rawValue]?.string ?? "" }

        /// - Parameter label: the words before the value, in small letters.
        init?(saidBy label: String, of role: ValueRole) {
            func says(_ words: String...) -> Bool { words.contains(where: label.contains) }
            if says("expected", "expecting"), !says("unexpected") {
                self = .expected
            } else if says("invalid", "unexpected", "unregistered", "not registered", "unauthorized", "not allowed") {
                self = role == .redirectURI ? .sent : .received
            } else if says("valid_", "required", "must be", "should be") {
                self = role == .scope ? .needed : .expected
            } else if says("registered", "authorized", "allowed", "whitelist", "approved", "valid redirect", "portal") {
                self = .registered
            } else if says("received", "returned", "actual", "got ", "presented", "assertion") {
                self = .received
            } else if says("sent", "in request", "passed", "requested ur") {
                self = .sent
            } else {
                return nil
            }
        }
    }

    let role: ValueRole
    let owner: Owner
    let value: String
    let line: Int
}

extension Fact {
    /// A value, in quotation marks if a blank at its end must be seen.
    static func role(_ role: ValueRole, _ value: String, labelled label: String) -> Fact {
        let bare = value.trimmingCharacters(in: .whitespaces)
        let fact =
            switch role {
            case _ where bare.contains(":/"): Fact.url(label, bare)
            case .scope: Fact.parameter("scope", bare, labelled: label)
            case .nonce, .state: Fact.parameter("state", bare, labelled: label)
            case .issuer, .authority, .audience, .resource, .redirectURI, .clientID, .tenant, .subject, .address,
                .region:
                Fact.parameter("client_id", bare, labelled: label)
            }
        return value == bare ? fact : fact.quoted(startsBlank: value.hasPrefix(" "))
    }
}
