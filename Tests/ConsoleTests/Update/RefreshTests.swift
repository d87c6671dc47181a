import TerminalUI
import Testing

@testable import Console

@Suite("Update: refreshing a token")
struct RefreshTests {
    private let refresh = Effect.work(
        EffectID(2), .acquireSilently(account: alice.identifier, scopes: ["User.Read"], isForced: true))

    private func with(_ token: AccessState?, _ profile: ProgramProfile = profile) -> Model {
        var account = alice
        account.token = token
        return listing([account], profile)
    }

    @Test(
        "The key refreshes the token if the account allows it",
        arguments: [AccessState.held(until: testTime, canRefresh: true), .refreshable, nil])
    func available(token: AccessState?) {
        var model = with(token)
        #expect(update(&model, .input(.key(.character("R")))) == [refresh])
        #expect(model.focus == .silent)
    }

    @Test(
        "Without a refresh token the key says why it is unavailable",
        arguments: [AccessState.held(until: testTime.addingTimeInterval(60), canRefresh: false), .none])
    func unavailable(token: AccessState) {
        var model = with(token)
        #expect(update(&model, .input(.key(.character("R")))) == [])
        #expect(
            model.notice?.text
                == "No refresh token for alice@contoso.example. Sign in again.")
    }

    @Test func aBrokerNeedsNoRefreshTokenHere() {
        var model = with(AccessState.none, chainProfile)
        #expect(update(&model, .input(.key(.character("R")))) == [refresh])
    }

    @Test func itIsOfferedBesideTheAccountOnlyIfItWorksAndOtherwiseSaysWhyNot() {
        let wide = Size(width: 120, height: 40)
        #expect(view(with(.refreshable), wide).text.contains("R      refresh"))
        #expect(!view(with(AccessState.none), wide).text.contains("R      refresh"))
        #expect(after(with(AccessState.none), keys: "R").notice?.text.contains("No refresh token") == true)
    }

    @Test func theNewClaimsReplaceTheOldOnes() {
        var model = after(showingClaims(), keys: .character("R"))
        #expect(model.routes.count == 2 && model.focus == .silent)
        var fresh = acquisition
        (fresh.isFromCache, fresh.accessToken) = (false, .opaque(length: 9))
        #expect(update(&model, .result(EffectID(3), .acquired(.success(fresh)))) == [.work(EffectID(4), .readAccounts)])
        #expect(model.routes.count == 1)
        guard let state = model.newest(ClaimsState.self) else {
            Issue.record("No claims.")
            return
        }
        #expect(state.acquisition == fresh && state.previous == acquisition)
        #expect(state.tabs.contains(.previousAccessToken))
    }

    @Test func leavingARefreshLeadsBackToTheClaims() {
        var model = after(showingClaims(), keys: .character("R"))
        #expect(update(&model, .input(.key(.escape))) == [.cancel(EffectID(3))])
        #expect(model.focus == .claims)
    }

    @Test func aFailedRefreshIsRetriedAsARefresh() {
        var model = after(
            after(with(.refreshable), keys: .character("R")),
            .result(EffectID(2), .acquired(.failure(networkReport))))
        #expect(
            update(&model, .input(.key(.character("r"))))
                == [
                    .work(
                        EffectID(3), .acquireSilently(account: alice.identifier, scopes: ["User.Read"], isForced: true))
                ])
    }

    @Test func aPastedTokenHasNoAccount() {
        let model = after(
            after(listing([alice]), keys: .character("t")), .input(.paste(jwt(#"{"iss":"x"}"#))),
            .input(.key(.character("R"))))
        #expect(model.focus == .claims)
        #expect(model.notice?.text == "A pasted token has no account.")
    }
}
