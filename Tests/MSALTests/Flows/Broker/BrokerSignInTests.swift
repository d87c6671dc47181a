import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Signing in with the session's identity broker.
@Suite(.oneSessionAtATime) struct BrokerSignInTests {
    private func failure(_ work: () async throws -> MSALResult) async throws -> NSError {
        try await SignedInWorld.failure(work)
    }

    private func inner(_ error: NSError) -> Int? { error.userInfo[MSALInternalErrorCodeKey] as? Int }

    @Test func itsTokensAreVerifiedAndCached() async throws {
        let brokered = try await BrokeredWorld()
        brokered.run()
        let log = EventLog()
        let application = try brokered.application()
        let result = try await application.acquireToken(with: BrokeredWorld.parameters(log))
        #expect(result.accessToken == brokered.tokens.accessToken)
        #expect(result.expiresOn == brokered.tokens.expiresOn)
        #expect(result.account == brokered.tokens.account)
        #expect(result.account.isSSOAccount)
        #expect(result.idTokenVerdicts.contains { $0.rule == "Signature" && $0.outcome == .passed })
        #expect(log.steps == [.callBroker, .findAuthority, .verifyIDToken, .saveTokens])
        #expect(brokered.world.broker.methods == [.acquireTokenInteractively])
        #expect(brokered.world.broker.limits == [nil])
        #expect(!brokered.world.store.all.contains { $0.key.kind == .refreshToken })

        let again = try await brokered.silent(application)
        #expect(again.isFromCache)
        #expect(brokered.world.broker.methods.count == 1)
    }

    @Test func theBrokerGetsTheRequestsParameters() async throws {
        let brokered = try await BrokeredWorld()
        brokered.run()
        let parameters = BrokeredWorld.parameters()
        parameters.account = brokered.tokens.account
        parameters.promptType = .login
        parameters.domainHint = "contoso.example"
        parameters.extraScopesToConsent = ["Mail.Read"]
        _ = try await brokered.application().acquireToken(with: parameters)
        #expect(brokered.world.broker.methods == [.getAccounts, .acquireTokenInteractively])
        let sent = try #require(brokered.world.broker.requests.last?.body["authParameters"])
        #expect(sent["account"] == brokered.accountJSON)
        #expect(sent["prompt"] == "login")
        #expect(sent["additionalQueryParametersForAuthorization"]?["domain_hint"] == "contoso.example")
        #expect(sent["requestedScopes"]?.array?.contains("Mail.Read") == true)
    }

    @Test func withoutABrokerTheBrowserOpensAndOneEventSaysSo() async throws {
        var brokered = try await BrokeredWorld()
        brokered.world.seat(.ann)
        let log = EventLog()
        let result = try await brokered.application().acquireToken(with: BrokeredWorld.parameters(log))
        #expect(!result.account.isSSOAccount)
        let told = log.all.filter { $0.step == .callBroker }
        #expect(told.map(\.phase) == [.failed])
        #expect(told.first?.detail == "No identity broker is on the session bus. Continuing without it.")
    }

    @Test func aBrokerThatDisappearsCountsAsAbsent() async throws {
        var brokered = try await BrokeredWorld()
        brokered.world.seat(.ann)
        brokered.run { _ throws(BrokerFailure) in throw BrokerFailure(.absent, reason: "The broker is absent.") }
        let log = EventLog()
        _ = try await brokered.application().acquireToken(with: BrokeredWorld.parameters(log))
        #expect(log.all.last { $0.step == .callBroker }?.detail == "The broker is absent. Continuing without it.")
    }

    @Test(
        "A broker's failure is reported, and no browser opens",
        arguments: [
            (BrokerFailure.Kind.unanswered, MSALInternalError.internalErrorBrokerResponseNotReceived),
            (.stopped, .internalErrorBrokerResponseNotReceived), (.failed, .internalErrorBrokerUnknown),
        ])
    func failing(kind: BrokerFailure.Kind, code: MSALInternalError) async throws {
        let brokered = try await BrokeredWorld()
        brokered.run { _ throws(BrokerFailure) in throw BrokerFailure(kind, reason: "It fell over.") }
        let log = EventLog()
        let error = try await failure {
            try await brokered.application().acquireToken(with: BrokeredWorld.parameters(log))
        }
        #expect(inner(error) == code.rawValue)
        #expect(error.localizedDescription.hasPrefix("The identity broker"))
        #expect(error.localizedDescription.contains("It fell over."))
        #expect(log.all.filter { $0.step == .callBroker }.map(\.phase) == [.started, .failed])
    }

    @Test func anInvalidResponseIsReported() async throws {
        let brokered = try await BrokeredWorld()
        brokered.run { _ throws(BrokerFailure) in "[]" }
        let error = try await failure {
            try await brokered.application().acquireToken(with: BrokeredWorld.parameters())
        }
        #expect(inner(error) == MSALInternalError.internalErrorBrokerCorruptedResponse.rawValue)
    }

    @Test func anErrorKeepsTheAuthoritysWords() async throws {
        let brokered = try await BrokeredWorld()
        brokered.run { _ throws(BrokerFailure) in
            """
            {"brokerTokenResponse":{"error":{"context":"AADSTS50078: too old","status":2,"diagnostics":{
            "raw_error_code":"invalid_grant","oauth2_sub_error_code":"basic_action"}}},
            "telemetry":{"broker_version":"2.0.1"}}
            """
        }
        let error = try await failure {
            try await brokered.application().acquireToken(with: BrokeredWorld.parameters())
        }
        #expect(error.code == MSALError.interactionRequired.rawValue)
        #expect(error.userInfo[MSALOAuthErrorKey] as? String == "invalid_grant")
        #expect(error.userInfo[MSALOAuthSubErrorKey] as? String == "basic_action")
        #expect(error.userInfo[MSALSTSErrorCodesKey] as? [Int] == [50078])
        #expect(error.userInfo[MSALBrokerVersionKey] as? String == "2.0.1")
        #expect(error.localizedDescription.contains("AADSTS50078: too old"))
    }

    @Test("Cancelling closes the broker's window too", arguments: [true, false])
    func cancelling(byTask: Bool) async throws {
        let brokered = try await BrokeredWorld()
        brokered.runUntilCancelled()
        let application = try brokered.application()
        let task = Task { try await application.acquireToken(with: BrokeredWorld.parameters()) }
        try await wait(until: "the broker is called") { !brokered.world.broker.requests.isEmpty }
        let page = try #require(URL(string: "http://localhost/?code=1&state=1"))
        #expect(!MSALPublicClientApplication.handleMSALResponse(page, sourceApplication: nil))
        #expect(throws: MSALAuthenticationError.self) { try MSALPublicClientApplication.handlePastedResponse("code") }
        if byTask { task.cancel() } else { #expect(MSALPublicClientApplication.cancelCurrentWebAuthSession()) }
        let error = try await failure { try await task.value }
        #expect(error.code == MSALError.userCanceled.rawValue)
        #expect(brokered.world.broker.methods == [.acquireTokenInteractively, .cancelInteractiveFlow])
        #expect(!MSALPublicClientApplication.cancelCurrentWebAuthSession())
        #expect(brokered.world.store.all.isEmpty)
    }

    @Test func tokensOfAnotherUserAreRejected() async throws {
        var brokered = try await BrokeredWorld()
        brokered.world.seat(.wang)
        let plain = try brokered.world.application()
        let wang = try await plain.acquireToken(with: BrokeredWorld.parameters()).account
        brokered.world.browser = ForbiddenBrowser()
        brokered.run()
        let before = brokered.world.store.all
        let parameters = BrokeredWorld.parameters()
        parameters.account = wang
        let error = try await failure { try await brokered.application().acquireToken(with: parameters) }
        #expect(inner(error) == MSALInternalError.internalErrorMismatchedUser.rawValue)
        #expect(brokered.world.store.all == before)
    }

    @Test func aTokenThatTheAuthorityDidNotIssueIsRejected() async throws {
        let brokered = try await BrokeredWorld()
        let forged = (brokered.tokens.idToken ?? "").split(separator: ".").prefix(2).joined(separator: ".") + ".AAAA"
        let answer = brokered.tokenAnswer { $0["idToken"] = .string(forged) }
        brokered.run { _ throws(BrokerFailure) in answer }
        let error = try await failure {
            try await brokered.application().acquireToken(with: BrokeredWorld.parameters())
        }
        #expect(inner(error) == MSALInternalError.internalErrorInvalidResponse.rawValue)
        #expect(brokered.world.store.all.isEmpty)
    }

    @Test(
        "Accepts members that brokers omit",
        arguments: [(["account"], nil), (["idToken"], nil), (["idToken", "account"], "idToken")]
            as [([String], String?)])
    func omissions(members: [String], missed: String?) async throws {
        let brokered = try await BrokeredWorld()
        let info = ClientInfo(
            uid: brokered.tokens.account.homeAccountId?.objectId ?? "",
            utid: brokered.tokens.account.homeAccountId?.tenantId ?? "")
        let answer = brokered.tokenAnswer { response in
            response["clientInfo"] = .string(info.raw)
            for member in members { response[member] = nil }
        }
        brokered.run { _ throws(BrokerFailure) in answer }
        let application = try brokered.application()
        guard let missed else {
            let result = try await application.acquireToken(with: BrokeredWorld.parameters())
            #expect(result.account == brokered.tokens.account)
            return
        }
        let error = try await failure { try await application.acquireToken(with: BrokeredWorld.parameters()) }
        #expect(error.localizedDescription.contains(missed))
    }

    @Test(
        "The broker is not used",
        arguments: [
            (MSALBrokeredAvailability.none, MSALBrokerPreference.asConfigured, true), (.auto, .never, true),
            (.auto, .asConfigured, false),
        ])
    func notRequested(
        availability: MSALBrokeredAvailability, preference: MSALBrokerPreference, isEnabled: Bool
    ) async throws {
        var brokered = try await BrokeredWorld()
        brokered.world.seat(.ann)
        brokered.run()
        defer { MSALGlobalConfig.brokerAvailability = .auto }
        MSALGlobalConfig.brokerAvailability = availability
        let parameters = BrokeredWorld.parameters()
        parameters.brokerPreference = preference
        let application = try brokered.application { $0.linuxBrokerEnabled = isEnabled }
        _ = try await application.acquireToken(with: parameters)
        #expect(brokered.world.broker.requests.isEmpty)
    }

    @Test func otherAuthoritiesUseNoBroker() async throws {
        var brokered = try await BrokeredWorld()
        brokered.world.seat(.ann)
        brokered.run()
        let application = try brokered.world.application(authority: "contoso/v2.0", isOpenID: true) {
            $0.linuxBrokerEnabled = true
        }
        #expect(!application.isCompatibleAADBrokerAvailable)
        let parameters = BrokeredWorld.parameters()
        parameters.brokerPreference = .only
        let error = try await failure { try await application.acquireToken(with: parameters) }
        #expect(inner(error) == MSALInternalError.internalBrokerNotAvailable.rawValue)
        #expect(brokered.world.broker.requests.isEmpty)
    }

    @Test func aBrokerOnlySignInReportsThatThereIsNone() async throws {
        let brokered = try await BrokeredWorld()
        let parameters = BrokeredWorld.parameters()
        parameters.brokerPreference = .only
        let error = try await failure { try await brokered.application().acquireToken(with: parameters) }
        #expect(inner(error) == MSALInternalError.internalBrokerNotAvailable.rawValue)
        #expect(error.localizedDescription == "No identity broker is on the session bus.")
    }

    @Test func aBrokersRedirectURIIsEnough() async throws {
        let brokered = try await BrokeredWorld()
        brokered.run()
        let application = try brokered.world.application(redirectURI: "msauth.org.keyturn.app://auth")
        #expect(application.isCompatibleAADBrokerAvailable)
        _ = try await application.acquireToken(with: BrokeredWorld.parameters())
        #expect(brokered.world.broker.methods == [.acquireTokenInteractively])
    }
}
