import Foundation
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
        #expect(TokenWish(scopes: named).completed(by: profile).scopes == requested)
    }
}
