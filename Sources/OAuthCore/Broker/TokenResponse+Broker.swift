import Foundation

extension TokenResponse {
    /// Creates the equivalent response of an authority at the time `now`. A token without an expiry counts as expired.
    package init(_ tokens: BrokerTokens, clientInfo: ClientInfo, at now: Date) {
        func seconds(until date: Date) -> Int {
            Int(min(max(0, date.timeIntervalSince(now)), Double(Self.maximumLifetime)))
        }
        accessToken = tokens.accessToken
        tokenType = "Bearer"
        expiresIn = tokens.expiresOn.map(seconds) ?? 0
        extendedExpiresIn = tokens.extendedExpiresOn.map(seconds)
        refreshIn = nil
        refreshToken = nil
        idToken = tokens.idToken
        scopes = tokens.scopes
        self.clientInfo = clientInfo
        familyID = nil
        serverTime = nil
    }
}
