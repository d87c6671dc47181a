import Foundation
import MSAL
import Testing

@testable import Console

@Suite("The words for the end of a sign-in") struct SignInExpiryWordsTests {
    private static func account(
        _ hours: Double, of lifetime: Double = 12, _ basis: MSALSignInExpiry.Basis = .stated,
        token: AccessState = .refreshable
    ) -> AccountSummary {
        var account = alice
        let end = testTime + hours * 3600
        account.signInExpiry = MSALSignInExpiry(date: end, countedFrom: end - lifetime * 3600, basis: basis)
        account.token = token
        return account
    }

    private static let sentences: [(AccountSummary, String?)] = [
        (
            account(1),
            "2026-11-20 12:30:00 +01:00 at the latest, as the authority said. An administrator can end it earlier."
        ),
        (account(-1), "ended: 2026-11-20 10:30:00 +01:00 at the latest, as the authority said"),
        (
            account(1, .maximumAge),
            "2026-11-20 12:30:00 +01:00 at the latest, because the authority rejected a sign-in after 12 h (AADSTS70043). "
                + "An administrator can end it earlier."
        ),
        (
            account(1, of: 2160, .inactivity),
            "2026-11-20 12:30:00 +01:00 at the latest, if no token is refreshed before: one was rejected after 90 days "
                + "(AADSTS700082). An administrator can end it earlier."
        ),
        (alice, nil),
    ]

    @Test("A sentence has the time and why it is known", arguments: sentences.indices)
    func sentence(row: Int) {
        let (account, sentence) = Self.sentences[row]
        #expect(account.signInExpirySentence(by: testTime, in: testZone) == sentence)
    }

    private static let needs: [(AccountSummary, Bool)] = [
        (account(1), false), (account(-1), true), (account(-1, token: .lasting), false),
        (account(-1, token: .held(until: testTime + 60, canRefresh: true)), false),
        (account(-1, token: .held(until: testTime - 60, canRefresh: true)), true),
        (account(1, token: .held(until: testTime - 60, canRefresh: true)), false),
        (account(1, token: .none), true), (alice, false),
    ]

    @Test("An account needs a sign-in if no token is left and none can be refreshed", arguments: needs.indices)
    func need(row: Int) {
        let (account, isNeeded) = Self.needs[row]
        #expect(account.needsSignIn(at: testTime) == isNeeded)
    }
}
