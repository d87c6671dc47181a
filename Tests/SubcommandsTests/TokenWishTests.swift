import Foundation
import MSAL
import Testing

@testable import Subcommands

@Suite("A command's token request")
struct TokenWishTests {
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
        #expect(try TokenWish(scopes: named).completed(by: profile).scopes == requested)
    }

    @Test(
        "A tenant can be chosen at Microsoft Entra ID only",
        arguments: [("https://login.microsoftonline.com/common", true), ("https://login.example.org", false)])
    func tenant(authority: String, isChosen: Bool) throws {
        var profile = Profile(name: "a", clientID: "1", authority: try AuthorityURL.read(authority))
        if !isChosen { profile.authorityType = .oidc }
        let wish = TokenWish(scopes: [], tenant: "contoso")
        guard !isChosen else {
            _ = try wish.completed(by: profile)
            return
        }
        let failure = #expect(throws: Failure.self) { try wish.completed(by: profile) }
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
}
