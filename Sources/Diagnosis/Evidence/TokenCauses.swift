import Foundation
import OAuthCore

/// Causes in the access token of a request that a resource rejected.
enum TokenCauses {
    static let all: [CauseRules.Rule] = [
        .init("bound-token", boundToken), .init("id-token-sent", idTokenSent),
        .init("access-token-expired", accessTokenExpired), .init("other-audience", otherAudience),
        .init("token-version", tokenVersion), .init("api-rejected", .named, apiRejected),
    ]

    /// A token that is bound to a key (RFC 9449 §6.1), sent as one that isn't.
    @Sendable static func boundToken(_ evidence: Evidence) -> Cause? {
        rejected(in: evidence).first { exchange, token in
            token.payload["cnf"]?["jkt"] != nil && exchange.requestHeaders["DPoP"] == nil
        }.map { exchange, _ in
            Cause(
                "DPoP", "The token is bound to a key, but the request has no proof of the key.",
                facts: [.url("URL", exchange.endpoint)],
                fix: "Send it with the DPoP scheme and a proof (RFC 9449 §7), or request a token that isn't bound.",
                at: exchange.number)
        }
    }

    @Sendable static func idTokenSent(_ evidence: Evidence) -> Cause? {
        rejected(in: evidence).first { _, token in token.isIDToken }.map { exchange, token in
            Cause(
                "ID token", "The program sent an ID token instead of an access token.",
                facts: [.url("URL", exchange.endpoint)]
                    + (token.claims.audiences?.first.map { [.parameter("client_id", $0, labelled: "Audience")] } ?? []),
                fix: "Send the access token. Request a scope of this resource to get one for it.", at: exchange.number)
        }
    }

    @Sendable static func accessTokenExpired(_ evidence: Evidence) -> Cause? {
        for (exchange, token) in rejected(in: evidence) {
            guard let now = exchange.date ?? exchange.time, let expiry = token.claims.expiry, expiry <= now else {
                continue
            }
            return Cause(
                "Access token", "The access token had expired before the request.",
                facts: [.url("URL", exchange.endpoint)],
                fix: "Get the token before each request: MSAL returns it from its cache until it expires.",
                at: exchange.number)
        }
        return nil
    }

    /// The identifiers of Microsoft Graph as an audience.
    private static let graph: Set<String> = [
        "https://graph.microsoft.com", "https://graph.microsoft.com/", "00000003-0000-0000-c000-000000000000",
    ]

    @Sendable static func otherAudience(_ evidence: Evidence) -> Cause? {
        rejected(in: evidence).first { exchange, token in
            token.claims.audiences?.contains(where: graph.contains) == true && !exchange.host.hasPrefix("graph.")
        }.map { exchange, _ in
            Cause(
                "Audience", "The token is for Microsoft Graph, but another API gets it.",
                facts: [.url("URL", exchange.endpoint)],
                fix: "Request a scope of this API, such as api://CLIENT-ID/SCOPE, in a request of its own.",
                at: exchange.number)
        }
    }

    /// An API that validates only one of Microsoft Entra's two token versions.
    @Sendable static func tokenVersion(_ evidence: Evidence) -> Cause? {
        rejected(in: evidence).first { exchange, token in
            token.payload["ver"]?.string == "1.0" && token.claims.issuer?.contains("sts.windows.net") == true
                && !exchange.host.hasPrefix("graph.")
        }.map { exchange, token in
            Cause(
                "Token version", "The token has version 1.0, whose issuer differs from that of version 2.0.",
                facts: [.url("URL", exchange.endpoint)] + (token.claims.issuer.map { [.url("Issuer", $0)] } ?? []),
                fix:
                    "Set requestedAccessTokenVersion to 2 in the API's registration, or let the API accept both issuers.",
                at: exchange.number)
        }
    }

    /// An API that gives no error.
    @Sendable static func apiRejected(_ evidence: Evidence) -> Cause? {
        guard evidence.success != nil,
            let exchange = evidence.steps(.api).last(where: { $0.rejection == nil })?.exchange
        else { return nil }
        let (headline, fix) =
            exchange.status == 401
            ? (
                "The API rejected the access token, and doesn't say why.",
                "Check that the token's audience is this API and that it hasn't expired. The API's log has the reason."
            )
            : (
                "The API doesn't allow this request: the token lacks a scope or role, or the user a permission.",
                "Compare the token's scopes (scp) and roles with what the API requires."
            )
        return Cause(
            "API", headline, facts: [.url("URL", exchange.endpoint), .status(exchange.status)], fix: fix,
            at: exchange.number)
    }

    /// Requests with a token that the server rejected as unauthorized, last first.
    private static func rejected(in evidence: Evidence) -> [(Exchange, JWT)] {
        evidence.exchanges.reversed().compactMap { exchange in
            guard exchange.status == 401, let field = exchange.requestHeaders["Authorization"] else { return nil }
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
    /// Whether it identifies a user to a client, by its claims.
    var isIDToken: Bool {
        !isAccessToken
            && ["nonce", "at_hash", "c_hash", "auth_time", "preferred_username"].contains { payload[$0] != nil }
    }

    var isAccessToken: Bool {
        header["typ"]?.string?.lowercased() == "at+jwt" || payload["scp"] != nil || payload["scope"] != nil
            || payload["roles"] != nil && payload["nonce"] == nil
    }
}
