import Foundation
import OAuthCore

/// The lifetime that Microsoft Entra ID states when it rejects a refresh token.
struct StatedLifetime: Sendable, Equatable {
    /// ``MSALSignInExpiry/Basis/maximumAge`` or ``MSALSignInExpiry/Basis/inactivity``.
    var basis: MSALSignInExpiry.Basis
    /// When the authority issued the token. For the maximum age, this is the sign-in.
    var issuedOn: Date
    var seconds: Int

    /// Returns `nil` if the rejection states none, or one that can't have passed by `now`.
    init?(in rejection: OAuthErrorResponse, at now: Date) {
        guard let text = rejection.description,
            let issued = Self.word(after: "was issued on ", in: text)?.prefix(19),
            let issuedOn = try? Date("\(issued)Z", strategy: .iso8601),
            let basis: MSALSignInExpiry.Basis =
                rejection.codes.contains(70043)
                ? .maximumAge : rejection.codes.contains(700_082) ? .inactivity : nil,
            let seconds = Self.word(
                after: basis == .maximumAge ? "lifetime for this request is " : "was inactive for ", in: text
            ).flatMap(Self.seconds),
            1...TokenResponse.maximumLifetime ~= seconds,
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
