import Foundation

extension TokenResponse {
    /// What a broker gave, as if the authority had answered `now`. A token of which nobody says when it ends is not kept.
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
