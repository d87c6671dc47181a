import Foundation
import OAuthCore

/// Findings about a token without its keys and its request.
struct TokenFindings {
    let token: JWT
    let now: Date

    var all: [CheckFinding] { [algorithm, life, notYet, issuer, audience].compactMap(\.self) }

    private var algorithm: CheckFinding? {
        switch token.algorithm?.lowercased() {
        case nil:
            CheckFinding("alg", .failed, "The header names no algorithm.", fix: "Don't trust this token.")
        case "none":
            CheckFinding(
                "alg", .failed, "Not signed (alg is none): anyone can forge it.",
                fix: "Don't trust this token.")
        case let name? where name.hasPrefix("hs"):
            CheckFinding(
                "alg", .warning, "Signed with a shared secret, which a desktop program can't keep.",
                fix: "Configure the authority to sign with a key pair, for example RS256.")
        default: nil
        }
    }

    private var life: CheckFinding? {
        guard let expiry = token.claims.expiry else {
            return CheckFinding(
                "exp", .warning, "Missing: the token doesn't expire.", fix: "Ask the operator of the authority.")
        }
        if expiry <= now {
            return CheckFinding("exp", .warning, "Expired.", fix: "Get a new token: keyturn token.")
        }
        return CheckFinding("exp", .passed, "Not expired.")
    }

    private var notYet: CheckFinding? {
        let start = [token.claims.notBefore, token.claims.issuedAt].compactMap(\.self).max()
        // Tolerates a normal difference between clocks.
        guard let start, start.timeIntervalSince(now) > 60 else { return nil }
        return CheckFinding(
            "nbf", .warning, "Not valid yet: this machine's clock is behind, or the authority's is ahead.",
            fix: "Synchronise the clock: timedatectl set-ntp true.")
    }

    private var issuer: CheckFinding? {
        guard let issuer = token.claims.issuer else {
            return CheckFinding(
                "iss", .warning, "Missing: the issuer is unknown.", fix: "Ask the operator of the authority.")
        }
        guard !issuer.lowercased().hasPrefix("http:") || URL(string: issuer).map(\.isLoopback) ?? false else {
            return CheckFinding(
                "iss", .failed, "The issuer isn't an https URL.", fix: "Ask the operator of the authority.")
        }
        return nil
    }

    private var audience: CheckFinding? {
        guard token.payload["aud"] == nil else { return nil }
        return CheckFinding(
            "aud", .warning, "Missing: any recipient can accept the token.",
            fix: "Ask the operator of the authority.")
    }
}
