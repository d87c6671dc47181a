import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Tokens, accounts and removal by the session's identity broker, without user interaction.
@Suite(.oneSessionAtATime) struct BrokerSilentTests {
    private func failure(_ work: () async throws -> MSALResult) async throws -> NSError {
        try await SignedInWorld.failure(work)
    }

    @Test func aBrokersAccountGetsATokenAndIsCached() async throws {
        let brokered = try await BrokeredWorld()
        brokered.run()
        let application = try brokered.application()
        let result = try await brokered.silent(application)
        #expect(!result.isFromCache)
        #expect(result.account.isSSOAccount)
        #expect(brokered.world.broker.methods == [.getAccounts, .acquireTokenSilently])
        #expect(brokered.world.broker.limits == [BrokerFlow.patience, BrokerFlow.patience])
        let sent = brokered.world.broker.requests.last?.body["authParameters"]
        #expect(sent?["account"] == brokered.accountJSON)
        #expect(sent?["authority"]?.string?.hasSuffix(brokered.tokens.tenantProfile.tenantId ?? "?") == true)
        #expect(try application.allAccounts() == [result.account])
    }

    @Test func anExpiredIDTokenFromTheBrokersCacheIsAWarning() async throws {
        let brokered = try await BrokeredWorld()
        brokered.run()
        brokered.world.time.advance(by: 7200)
        let result = try await brokered.silent(brokered.application())
        #expect(result.idTokenVerdicts.first { $0.rule == "Expiry" }?.outcome == .warning)
    }

    @Test func theRequestNamesTheTokenToRefresh() async throws {
        let brokered = try await BrokeredWorld()
        brokered.run()
        let application = try brokered.application()
        _ = try await brokered.silent(application)
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: brokered.tokens.account)
        parameters.forceRefresh = true
        _ = try await application.acquireTokenSilent(with: parameters)
        let sent = brokered.world.broker.requests.last?.body["authParameters"]
        #expect(sent?["accessTokenToRenew"]?.string == brokered.tokens.accessToken)
    }

    @Test func aBrokerThatRestartsOnceIsAskedAgain() async throws {
        let brokered = try await BrokeredWorld()
        let broker = brokered.world.broker
        brokered.run { request throws(BrokerFailure) in
            let isFirst = broker.methods.count { $0 == request.method } == 1
            guard isFirst else { return "" }
            throw BrokerFailure(.stopped, reason: "It exited before it responded.")
        }
        let log = EventLog()
        _ = try await brokered.silent(brokered.application(), log)
        #expect(log.all.count { $0.step == .callBroker && $0.phase == .noted } == 2)
    }

    @Test func aBrokerThatKeepsStoppingIsAFailure() async throws {
        let brokered = try await BrokeredWorld()
        brokered.run { _ throws(BrokerFailure) in throw BrokerFailure(.stopped, reason: "It went away.") }
        let error = try await failure { try await brokered.silent(brokered.application()) }
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int
                == MSALInternalError.internalErrorBrokerResponseNotReceived.rawValue)
        #expect(brokered.world.broker.methods == [.getAccounts, .getAccounts])
    }

    @Test("The cached refresh token is used instead where that is allowed", arguments: [true, false])
    func ownRefreshToken(isAllowed: Bool) async throws {
        var brokered = try await BrokeredWorld()
        brokered.world.seat(.ann)
        _ = try await brokered.world.application().acquireToken(with: BrokeredWorld.parameters())
        brokered.world.browser = ForbiddenBrowser()
        brokered.run { _ throws(BrokerFailure) in throw BrokerFailure(.unanswered, reason: "It slept.") }
        let log = EventLog()
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: brokered.tokens.account)
        parameters.forceRefresh = true
        parameters.allowUsingLocalCachedRtWhenSsoExtFailed = isAllowed
        parameters.flowEventHandler = log.handler
        let application = try brokered.application()
        if isAllowed {
            let result = try await application.acquireTokenSilent(with: parameters)
            #expect(!result.account.isSSOAccount)
            #expect(log.steps.contains(.refreshToken))
        } else {
            let error = try await failure { try await application.acquireTokenSilent(with: parameters) }
            #expect(error.localizedDescription == "The identity broker didn't respond. It slept.")
        }
        #expect(log.all.filter { $0.step == .callBroker }.map(\.phase) == [.started, .failed])
    }

    @Test func anAccountUnknownToTheBrokerIsRefreshedHere() async throws {
        var brokered = try await BrokeredWorld()
        brokered.world.seat(.ann)
        _ = try await brokered.world.application().acquireToken(with: BrokeredWorld.parameters())
        brokered.run { request throws(BrokerFailure) in request.method == .getAccounts ? #"{"accounts":[]}"# : "" }
        brokered.world.time.advance(by: 3600)
        let log = EventLog()
        _ = try await brokered.silent(brokered.application(), log)
        #expect(log.steps.contains(.refreshToken))
        #expect(brokered.world.broker.methods == [.getAccounts])
    }

    @Test func theCachedTokenServesDuringAnOutage() async throws {
        let brokered = try await BrokeredWorld()
        brokered.run { request throws(BrokerFailure) in
            request.method == .getAccounts ? "" : #"{"brokerTokenResponse":{"error":{"status":3}}}"#
        }
        let error = try await failure { try await brokered.silent(brokered.application()) }
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause?.code == NSURLErrorNotConnectedToInternet)
    }

    @Test func itsAccountsAreListedWithTheCachedOnes() async throws {
        var brokered = try await BrokeredWorld()
        brokered.world.seat(.wang)
        let wang = try await brokered.world.application().acquireToken(with: BrokeredWorld.parameters()).account
        brokered.run()
        let application = try brokered.application()
        let all = try await application.accountsFromDevice(for: MSALAccountEnumerationParameters())
        #expect(all == [wang, brokered.tokens.account])
        #expect(all.map(\.isSSOAccount) == [false, true])
        #expect(all.last?.accountClaims?["name"] as? String == "Ann")
        let ann = MSALAccountEnumerationParameters(identifier: brokered.tokens.account.identifier ?? "")
        #expect(try await application.accountsFromDevice(for: ann) == [brokered.tokens.account])
        #expect(try application.allAccounts() == [wang])
    }

    @Test func anAccountInBothIsListedOnce() async throws {
        let brokered = try await BrokeredWorld()
        brokered.run()
        let application = try brokered.application()
        _ = try await brokered.silent(application)
        let all = try await application.accountsFromDevice(for: MSALAccountEnumerationParameters())
        #expect(all.map(\.isSSOAccount) == [true])
    }

    @Test func aBrokerWithoutAListOfAccountsIsAFailure() async throws {
        let brokered = try await BrokeredWorld()
        brokered.run { _ throws(BrokerFailure) in throw BrokerFailure(.failed, reason: "It fell over.") }
        let application = try brokered.application()
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await application.accountsFromDevice(for: MSALAccountEnumerationParameters())
        }
        #expect(error?.localizedDescription == "The identity broker failed. It fell over.")
    }

    @Test func removalReachesTheBrokerAndHidesItsAccount() async throws {
        let brokered = try await BrokeredWorld()
        brokered.run()
        let application = try brokered.application()
        let account = try await brokered.silent(application).account
        try await application.signout(with: account, signoutParameters: MSALSignoutParameters())
        let sent = brokered.world.broker.requests.last
        #expect(sent?.method == .removeAccount)
        #expect(sent?.body["account"] == brokered.accountJSON)
        #expect(try await application.accountsFromDevice(for: MSALAccountEnumerationParameters()).isEmpty)
        let error = try await failure { try await brokered.silent(application) }
        #expect(error.code == MSALError.interactionRequired.rawValue)
    }

    @Test func aBrokerThatCannotRemoveIsReported() async throws {
        let brokered = try await BrokeredWorld()
        brokered.run { request throws(BrokerFailure) in
            request.method == .removeAccount ? #"{"error":"Not implemented"}"# : ""
        }
        let application = try brokered.application()
        let account = try await brokered.silent(application).account
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await application.signout(with: account, signoutParameters: MSALSignoutParameters())
        }
        #expect(error?.localizedDescription.contains("Not implemented") == true)
        #expect(try application.allAccounts().isEmpty)
    }

    @Test func deviceInformationHasItsVersion() async throws {
        let brokered = try await BrokeredWorld()
        let application = try brokered.application()
        #expect(try await application.deviceInformation(with: nil).extraDeviceInformation.isEmpty)
        #expect(!application.isCompatibleAADBrokerAvailable)
        brokered.run()
        #expect(application.isCompatibleAADBrokerAvailable)
        let known = try await application.deviceInformation(with: nil).extraDeviceInformation
        #expect(known[MSALDeviceInformation.brokerVersionKey] as? String == "2.0.1")
    }
}
