import Foundation

extension IDTokenRules {
    func expiry(_ input: Input) -> Finding {
        guard let expiry = input.claims.expiry else {
            return (.failed, Self.withoutTime("exp", "expiry", input))
        }
        let left = expiry.timeIntervalSince(input.now)
        guard left > -tolerance else {
            return (.failed, "Expired \(Self.spelled(-left)) ago by \(clockName(input)), at \(expiry.ISO8601Format()).")
        }
        guard left > 0 else {
            return (
                .passed,
                "Expired \(Self.spelled(-left)) ago by \(clockName(input)), within the \(Self.spelled(tolerance)) allowed."
            )
        }
        return (.passed, "Expires in \(Self.spelled(left.rounded(.down))) by \(clockName(input)).")
    }

    func notBefore(_ input: Input) -> Finding {
        guard input.token.payload["nbf"] != nil else {
            return (.skipped, "The token has no start time.")
        }
        guard let start = input.claims.notBefore else {
            return (.failed, Self.withoutTime("nbf", "start time", input))
        }
        let ahead = start.timeIntervalSince(input.now)
        guard ahead <= tolerance else {
            return (.failed, "Becomes valid in \(Self.spelled(ahead)) by \(clockName(input)).")
        }
        return (.passed, "Valid since \(start.ISO8601Format()).")
    }

    func issuedAt(_ input: Input) -> Finding {
        guard let issued = input.claims.issuedAt else {
            return (.failed, Self.withoutTime("iat", "issue time", input))
        }
        let ahead = issued.timeIntervalSince(input.now)
        guard ahead <= tolerance else {
            return (.failed, "Issued \(Self.spelled(ahead)) in the future by \(clockName(input)).")
        }
        return (.passed, "Issued at \(issued.ISO8601Format()).")
    }

    func authenticationTime(_ input: Input) -> Finding {
        guard let maximumAge = input.maximumAge else {
            return (.skipped, "No fresh authentication was requested.")
        }
        guard let time = input.claims.authenticationTime else {
            return (.failed, "The token doesn't say when the user was authenticated.")
        }
        let age = input.now.timeIntervalSince(time)
        guard age <= Double(maximumAge) + tolerance else {
            return (
                .failed,
                "The user was authenticated \(Self.spelled(age)) ago, more than the requested "
                    + "\(Self.spelled(Double(maximumAge)))."
            )
        }
        return (.passed, "The user was authenticated at \(time.ISO8601Format()).")
    }

    /// Compares the clocks. Never fails a token, but may explain other failures.
    func clock(_ input: Input) -> Finding {
        guard let serverTime = input.serverTime else {
            let reason =
                switch input.origin {
                case .response: "The authority sent no time"
                case .cache: "The token is from the cache"
                case .text: "No response came with the token"
                }
            return (.skipped, "\(reason), so this computer's clock was used.")
        }
        let ahead = input.localTime.timeIntervalSince(serverTime)
        guard abs(ahead) > skewWorthAWarning else {
            return (.passed, "This computer's clock agrees with the authority's.")
        }
        return (
            .warning,
            "This computer's clock is \(Self.spelled(abs(ahead))) \(ahead > 0 ? "ahead of" : "behind") the authority's."
        )
    }

    /// The reason why there is no time to compare.
    private static func withoutTime(_ claim: String, _ what: String, _ input: Input) -> String {
        input.token.payload[claim] == nil
            ? "The token has no \(what)."
            : "The token's \(what) (\(claim)) is not a valid number of seconds."
    }

    private func clockName(_ input: Input) -> String {
        input.serverTime == nil ? "this computer's clock" : "the authority's clock"
    }

    /// A duration in one or two units: `59 min`, `2 h 5 min`, `3 days`.
    static func spelled(_ seconds: Double) -> String {
        let whole = Int(min(max(seconds, 0), 1e12).rounded())
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3600: return "\(whole / 60) min"
        case ..<172_800: return whole / 60 % 60 == 0 ? "\(whole / 3600) h" : "\(whole / 3600) h \(whole / 60 % 60) min"
        default: return "\(whole / 86_400) days"
        }
    }
}
