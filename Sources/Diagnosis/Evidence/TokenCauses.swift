import Foundation
import OAuthCore

/// Causes in a token that a resource rejected as unauthorized.
enum TokenCauses {
    static let all: [CauseRules.Rule] = [
        // Bound to a key (RFC 9449 §6.1), and sent as one that isn't.
        rule("bound-token") { exchange, token in
            token.payload["cnf"]?["jkt"] != nil && exchange.requestHeaders["DPoP"] == nil
        },
        rule("id-token-sent") { token in
            token.claims.audiences?.first.map { [.parameter("client_id", $0, labelled: "Audience")] } ?? []
        } where: { _, token in
            token.isIDToken
        },
        rule("access-token-expired") { exchange, token in
            guard let now = exchange.date ?? exchange.time, let expiry = token.claims.expiry else { return false }
            return expiry <= now
        },
        rule("other-audience") { exchange, token in
            token.claims.audiences?.contains(where: graph.contains) == true && !exchange.host.hasPrefix("graph.")
        },
        // An API that validates only one of Microsoft Entra's two token versions.
        rule("token-version") { token in
            token.claims.issuer.map { [.url("Issuer", $0)] } ?? []
        } where: { exchange, token in
            token.payload["ver"]?.string == "1.0" && token.claims.issuer?.contains("sts.windows.net") == true
                && !exchange.host.hasPrefix("graph.")
        },
        .init("api-rejected", .named, apiRejected),
    ]

    private static let graph: Set<String> = [
        "https://graph.microsoft.com", "https://graph.microsoft.com/", "00000003-0000-0000-c000-000000000000",
    ]

    private static func rule(
        _ id: String, facts: @escaping @Sendable (JWT) -> [Fact] = { _ in [] },
        where fits: @escaping @Sendable (Exchange, JWT) -> Bool
    ) -> CauseRules.Rule {
        .init(id) { evidence in
            rejected(in: evidence).first(where: fits).map { exchange, token in
                Cause(id, facts: [.url("URL", exchange.endpoint)] + facts(token), at: exchange.number)
            }
        }
    }

    @Sendable static func apiRejected(_ evidence: Evidence) -> Cause? {
        guard evidence.success != nil,
            let exchange = evidence.steps(.api).last(where: { $0.rejection == nil })?.exchange
        else { return nil }
        return Cause(
            exchange.status == 401 ? "api-rejected" : "api-forbids",
            facts: [.url("URL", exchange.endpoint), .status(exchange.status)], at: exchange.number)
    }

    /// Requests with a token that the server rejected as unauthorized, last first.
    private static func rejected(in evidence: Evidence) -> [(Exchange, JWT)] {
        let calls = evidence.exchanges.filter { $0.status == 401 && $0.requestHeaders["Authorization"] != nil }
        let accepted = calls.isEmpty ? [:] : Evidence.accepted(evidence.exchanges)
        return calls.reversed().compactMap { exchange in
            guard accepted["\(exchange.method) \(exchange.endpoint)"] ?? 0 < exchange.number,
                let field = exchange.requestHeaders["Authorization"]
            else { return nil }
            let token = field.split(separator: " ").last.flatMap { try? JWT(parsing: String($0)) }
            return token.map { (exchange, $0) }
        }
    }
}

extension Evidence {
    /// Whether it has the token of a rejected request, which says more than the error.
    var showsRejectedToken: Bool { TokenCauses.all.contains { $0(self).cause != nil } }
}

extension JWT {
    var isIDToken: Bool {
        !isAccessToken
            && ["nonce", "at_hash", "c_hash", "auth_time", "preferred_username"].contains { payload[$0] != nil }
    }

    var isAccessToken: Bool {
        header["typ"]?.string?.lowercased() == "at+jwt" || payload["scp"] != nil || payload["scope"] != nil
            || payload["roles"] != nil && payload["nonce"] == nil
    }
}
