import MSAL

extension MSALChallenge {
    /// What the API asks for, in a few words; empty if it asks for any token. Untrusted text: sanitise before display.
    package var demand: String {
        let parts = [
            error, scopes.isEmpty ? nil : "scope \(scopes.joined(separator: " "))",
            acrValues.map { "acr_values \($0)" }, maxAge.map { "max_age \($0)" }, claims.map { "claims \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension MSALFlowExchange {
    /// The challenge of an API's response; nil if it has none that a token can answer.
    var challenge: MSALChallenge? {
        let fields = parameters.filter { $0.place == .responseHeader && $0.name.lowercased() == "www-authenticate" }
        return fields.isEmpty ? nil : try? MSALChallenge(headers: fields.map(\.shareableValue))
    }

    /// The path of the address, for a short label.
    var path: String {
        let rest = address.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
        return rest.isEmpty ? "/" : String(rest)
    }
}
