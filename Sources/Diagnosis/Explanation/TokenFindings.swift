import Foundation
import OAuthCore

/// What can be judged of a token without keys and without knowing whom it was asked for.
struct TokenFindings {
    let token: JWT
    let now: Date

    var all: [CheckFinding] { [algorithm, life, notYet, issuer, audience].compactMap(\.self) }

    private var algorithm: CheckFinding? {
        switch token.algorithm?.lowercased() {
        case nil:
            CheckFinding("alg", .wrong, "The header names no algorithm.", fix: "Do not trust this token.")
        case "none":
            CheckFinding(
                "alg", .wrong, "It is not signed: anybody can have written it (alg is none).",
                fix: "Do not trust this token.")
        case let name? where name.hasPrefix("hs"):
            CheckFinding(
                "alg", .attention, "It is signed with a shared secret, which a program on a person's machine has not.",
                fix: "Have the authority sign with a key pair, such as RS256.")
        default: nil
        }
    }

    private var life: CheckFinding? {
        guard let expiry = token.claims.expiry else {
            return CheckFinding(
                "exp", .attention, "It does not say when it ends.", fix: "Ask whoever runs the authority.")
        }
        if expiry <= now {
            return CheckFinding("exp", .attention, "It has expired.", fix: "Get a new one: keyturn token.")
        }
        return CheckFinding("exp", .good, "It has not expired.")
    }

    private var notYet: CheckFinding? {
        let start = [token.claims.notBefore, token.claims.issuedAt].compactMap(\.self).max()
        // The seconds by which machines' clocks differ all the time.
        guard let start, start.timeIntervalSince(now) > 60 else { return nil }
        return CheckFinding(
            "nbf", .attention, "It begins in the future: this machine's clock is behind, or the authority's ahead.",
            fix: "Set the clock: timedatectl set-ntp true.")
    }

    private var issuer: CheckFinding? {
        guard let issuer = token.claims.issuer else {
            return CheckFinding(
                "iss", .attention, "It does not say who issued it.", fix: "Ask whoever runs the authority.")
        }
        guard !issuer.lowercased().hasPrefix("http:") || URL(string: issuer).map(\.isLoopback) ?? false else {
            return CheckFinding(
                "iss", .wrong, "The issuer is not an https address.", fix: "Ask whoever runs the authority.")
        }
        return nil
    }

    private var audience: CheckFinding? {
        guard token.payload["aud"] == nil else { return nil }
        return CheckFinding(
            "aud", .attention, "It does not say whom it is for, so that anybody may accept it.",
            fix: "Ask whoever runs the authority.")
    }
}
