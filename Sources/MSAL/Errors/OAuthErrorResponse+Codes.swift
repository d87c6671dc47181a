import Foundation
import OAuthCore

/// The texts and codes of an authority's OAuth error.
extension OAuthErrorResponse {
    /// ``error`` in lower case, by its name in RFC 6749 §5.2 where Slack, GitHub and others have their own.
    var standardError: String {
        let name = error.lowercased()
        return Self.standardErrors.first { $0.value.contains(name) }?.key ?? name
    }

    private static let standardErrors: [String: Set<String>] = [
        "invalid_client": [
            "bad_client_id", "bad_client_secret", "incorrect_client_credentials", "invalid_client_credentials",
            "invalid_client_id", "invalid_client_secret",
        ],
        "invalid_grant": [
            "bad_verification_code", "code_already_used", "invalid_code", "invalid_refresh_token", "token_revoked",
        ],
        "temporarily_unavailable": [
            "fatal_error", "internal_error", "ratelimited", "request_timeout", "service_unavailable",
        ],
    ]

    /// The error codes of a request with the user present (docs/upstream-behaviour.md §6.1). For a rejected refresh they say
    /// nothing: there, the kind of the ``ResponseFailure`` decides.
    var usualCode: (code: MSALError, internalCode: Int?) {
        func inner(_ code: MSALInternalError) -> (MSALError, Int?) { (.internal, code.rawValue) }
        return switch standardError {
        case "invalid_request" where codes.contains(50142): (.serverInvalidRequestResetPasswordRequired, nil)
        case "invalid_request": inner(.internalErrorInvalidRequest)
        case "invalid_client": inner(.internalErrorInvalidClient)
        case "invalid_grant" where suberror == "transfer_token_expired": (.userCanceled, nil)
        case "invalid_grant" where suberror == "insufficient_device_strength":
            (.internal, MSALError.insufficientDeviceStrength.rawValue)
        case "invalid_grant": inner(.internalErrorInvalidGrant)
        case "invalid_scope": inner(.internalErrorInvalidScope)
        case "unauthorized_client" where suberror == "protection_policy_required":
            (.serverProtectionPoliciesRequired, nil)
        case "unauthorized_client": inner(.internalErrorUnauthorizedClient)
        case "interaction_required", "login_required", "consent_required", "account_selection_required":
            (.interactionRequired, nil)
        case "access_denied", "authorization_declined", "tokentransferfailedotc": (.userCanceled, nil)
        case "server_error": (.internal, MSALError.serverError.rawValue)
        default: inner(.internalErrorAuthorizationFailed)
        }
    }

    /// Whether the refresh token is permanently invalid. Microsoft Entra ID also rejects valid tokens with
    /// `invalid_grant` until the user acts. Other providers return it for invalid tokens only (RFC 6749 §5.2).
    func saysTokenIsBad(fromEntra: Bool) -> Bool {
        fromEntra ? isInvalidGrant(because: "bad_token") : standardError == "invalid_grant"
    }

    var saysAccountIsDeleted: Bool { isInvalidGrant(because: "user_account_deleted") }

    private func isInvalidGrant(because reason: String) -> Bool {
        standardError == "invalid_grant" && suberror?.lowercased() == reason
    }

    /// Without a description, with the numbers that it would contain.
    var sentence: String {
        (description.map { "\($0) (\(error))" }
            ?? ([error] + codes.map { "AADSTS\($0)" }).joined(separator: ", ") + ".").withoutControls
    }

    var nextStep: String {
        switch standardError {
        case "access_denied", "authorization_declined", "consent_required":
            "Sign in again and accept, or ask an administrator to consent."
        case "unauthorized_client" where suberror == "protection_policy_required":
            "Ask the organisation which application to use."
        case "invalid_client", "unauthorized_client": "Check the client ID and how the application is registered."
        case "invalid_target":
            "The authority doesn't know this resource (RFC 8707). With \"sendResource\": false in the profile, it isn't sent."
        case "invalid_scope": "Check the spelling of the scopes, and that they belong to one resource."
        case "invalid_grant" where suberror == "insufficient_device_strength":
            "Ask the organisation which devices are allowed."
        case "invalid_request" where codes.contains(50142): "Change the password in a browser, then sign in again."
        case "invalid_request": "Check the client ID, the redirect URI and the scopes against the registration."
        default: "Try again. If it fails again, give the correlation ID to the authority's operator."
        }
    }

    /// The keys of `userInfo` that ``Failure`` doesn't have.
    var keys: [String: Any] {
        let keys: [String: Any?] = [
            MSALOAuthSubErrorDescriptionKey: description, MSALHTTPResponseCodeKey: status.map(String.init),
        ]
        return keys.compactMapValues(\.self)
    }
}

extension TokenResponseFailure.Fact {
    var explanation: String {
        switch self {
        case .tooLarge(let limit): "it is larger than \(limit) bytes"
        case .notJSONObject: "it is not a JSON object"
        case .wrongType(let member): "\(member) has the wrong type"
        case .impossibleLifetime(let member): "\(member) is not a valid lifetime"
        case .alreadyExpired: "its access token has already expired (expires_in 0)"
        case .tooLong(let member, let limit): "\(member) is longer than \(limit) characters"
        case .notACode: "user_code contains spaces or non-ASCII characters"
        case .notAnAddress(let member): "\(member) is not an https URL"
        case .impossibleStatus: "its HTTP status is invalid"
        case .controlCharacter(let member): "\(member) contains a control character"
        case .notVisibleASCII(let member): "\(member) contains invalid characters"
        case .repeatedMembers: "it has a duplicate member"
        case .missing(let member): "\(member) is missing"
        case .noTokens: "it contains no token"
        // Other names could repeat secrets of the request.
        case .otherTokenType(let expected, let found?) where Self.tokenTypes.contains(found.lowercased()):
            "its token has the type \"\(found)\" instead of \(expected)"
        case .otherTokenType(let expected, _): "its token is not a \(expected) token"
        }
    }

    /// The registered types (IANA, OAuth Access Token Types), and types from drafts that servers use.
    private static let tokenTypes: Set<String> = ["bearer", "dpop", "mac", "n_a", "pop", "ssh-cert"]
}

/// The lifetime that Microsoft Entra ID states when it rejects a refresh token.
struct StatedLifetime: Sendable, Equatable {
    /// ``MSALSignInExpiry/Basis/maximumAge`` or ``MSALSignInExpiry/Basis/inactivity``.
    var basis: MSALSignInExpiry.Basis
    /// When the authority issued the token. For the maximum age, this is the sign-in.
    var issuedOn: Date
    var seconds: Int

    /// Returns `nil` if the rejection states none, or one that can't have passed by `now`.
    init?(in rejection: OAuthErrorResponse, at now: Date) {
        guard let text = rejection.description, let issued = Self.word(after: "was issued on ", in: text)?.prefix(19),
            let issuedOn = try? Date("\(issued)Z", strategy: .iso8601),
            let basis: MSALSignInExpiry.Basis =
                rejection.codes.contains(70043)
                ? .maximumAge : rejection.codes.contains(700_082) ? .inactivity : nil,
            let seconds = Self.word(
                after: basis == .maximumAge ? "lifetime for this request is " : "was inactive for ", in: text
            ).flatMap(Self.seconds), 1...TokenResponse.maximumLifetime ~= seconds,
            Double(seconds)...Double(TokenResponse.maximumLifetime) ~= now.timeIntervalSince(issuedOn)
        else { return nil }
        (self.basis, self.issuedOn, self.seconds) = (basis, issuedOn, seconds)
    }

    private static func word(after words: String, in text: String) -> Substring? {
        guard let range = text.range(of: words) else { return nil }
        let word = text[range.upperBound...].prefix { !$0.isWhitespace }
        return word.hasSuffix(".") ? word.dropLast() : word
    }

    /// A number of seconds, or a .NET time span such as `90.00:00:00`.
    private static func seconds(_ text: Substring) -> Int? {
        guard text.contains(":") else { return Int(text) }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let clock = parts.last?.split(separator: ":").compactMap { UInt8($0) } ?? []
        guard parts.count <= 2, clock.count == 3, let days = parts.count == 2 ? UInt16(parts[0]) : 0 else { return nil }
        return Int(days) * 86_400 + Int(clock[0]) * 3600 + Int(clock[1]) * 60 + Int(clock[2])
    }
}
