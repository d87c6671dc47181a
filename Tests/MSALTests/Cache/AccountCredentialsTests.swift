import Foundation
import OAuthCore
import Testing

@testable import MSAL

@Suite("Credentials of an account")
struct AccountCredentialsTests {
    private static func refreshToken(_ secret: String, in environment: String, at time: Int) -> CredentialRecord {
        CredentialRecord(
            CredentialKey(.refreshToken, homeAccountID: "u.t", environment: environment, client: "c1"),
            ["secret": .string(secret), "last_modification_time": .string("\(time)")])
    }

    @Test("Of refresh tokens under several aliases of the authority, the newest counts", arguments: [false, true])
    func newest(isReversed: Bool) {
        let records = [
            Self.refreshToken("old", in: "login.windows.net", at: 5),
            Self.refreshToken("new", in: "login.microsoftonline.com", at: 9),
        ]
        let credentials = AccountCredentials(records: isReversed ? records.reversed() : records, client: "c1")
        let found = credentials.refreshTokens(environments: ["login.microsoftonline.com", "login.windows.net"])
        #expect(found.map { $0.secret.reveal() } == ["new"])
    }
}
