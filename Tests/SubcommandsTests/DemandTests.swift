import Foundation
import MSAL
import TestSupport
import Testing

@testable import Subcommands

@Suite("A command's token request", .oneSessionAtATime)
struct DemandTests {
    private func demand(_ scopes: [String]) throws -> Demand {
        Demand(settings: try Settings(ParsedOptions()), scopes: scopes)
    }

    @Test(
        "Scopes that are always requested may be listed, and the profile's scopes are the default",
        arguments: [
            ([], ["User.Read"]), (["Mail.Read"], ["Mail.Read"]), (["openid", "Mail.Read", "PROFILE"], ["Mail.Read"]),
            (["openid", "offline_access"], []),
        ] as [([String], [String])])
    func scopes(_ named: [String], _ requested: [String]) throws {
        let authority = try #require(URL(string: "https://login.example.org"))
        var profile = Profile(name: "a", clientID: "1", authority: authority)
        profile.scopes = ["User.Read"]
        #expect(try demand(named).completed(by: profile).scopes == requested)
    }

    @Test("Only the account of a resource gets a name", arguments: [true, false])
    func name(isOfResource: Bool) throws {
        let url = "https://login.example.org"
        let resource = isOfResource ? [ParsedOptions.Given(option: Demand.resource, argument: url)] : []
        let demand = try Demand(
            ParsedOptions(given: [ParsedOptions.Given(option: Demand.newAccount, argument: "ann")] + resource))
        let profile = Profile(name: "a", clientID: "1", authority: try AuthorityURL.read(url))
        guard !isOfResource else {
            #expect(try demand.completed(by: profile).newAccountName == "ann")
            return
        }
        #expect(throws: Failure.self) { try demand.completed(by: profile) }
    }

    @Test(
        "A tenant can be chosen at Microsoft Entra ID only",
        arguments: [("https://login.microsoftonline.com/common", true), ("https://login.example.org", false)])
    func tenant(authority: String, isChosen: Bool) throws {
        var profile = Profile(name: "a", clientID: "1", authority: try AuthorityURL.read(authority))
        if !isChosen { profile.authorityType = .oidc }
        let demand = try Demand(
            ParsedOptions(given: [ParsedOptions.Given(option: Demand.tenant, argument: "contoso")]))
        guard !isChosen else {
            _ = try demand.completed(by: profile)
            return
        }
        let failure = #expect(throws: Failure.self) { try demand.completed(by: profile) }
        #expect(failure?.exitCode == .usage)
        #expect(failure?.reason == "https://login.example.org has no tenants to choose from.")
    }

    @Test("The scheme of an authority ignores case, and http is for this computer only")
    func schemes() throws {
        #expect(try AuthorityURL.read("HTTPS://Login.example.org/a").absoluteString == "https://Login.example.org/a")
        #expect(try AuthorityURL.read("HTTP://localhost:1").absoluteString == "http://localhost:1")
        let mistake = #expect(throws: AuthorityURL.Mistake.self) { try AuthorityURL.read("http://localhostemail") }
        #expect(mistake?.remedy == "Use https: http works only on this computer")
    }

    @Test(
        "After a refresh that could not be cached, no second one spends the lost refresh token", arguments: [0, 7200])
    func cachingError(validity: TimeInterval) async throws {
        let (world, application, account) = try await signedInAtEntra()
        let tokens = world.store.all.map(\.key).filter { $0.kind == .accessToken }
        try world.store.update(matching: CredentialQuery()) { _ in tokens.map { .delete($0) } }
        world.store.failToSave(with: CredentialStoreFailure(.io, reason: "The disk is full."))
        var demand = try demand(["User.Read"])
        demand.minimumValidity = validity
        let result = try await demand.silent(application, account, at: world.time.now())
        #expect(result.cachingError != nil)
        #expect(world.refreshes == 1)
    }

    @Test("A cached token that is valid for too short a time is refreshed once", arguments: [(600.0, 0), (3_590, 1)])
    func tooShort(validity: TimeInterval, refreshes: Int) async throws {
        let (world, application, account) = try await signedInAtEntra()
        world.time.advance(by: 60)
        var demand = try demand(["User.Read"])
        demand.minimumValidity = validity
        _ = try await demand.silent(application, account, at: world.time.now())
        #expect(world.refreshes == refreshes)
    }
}
