import Foundation
import KeyturnSystem
import MSAL
import TestSupport
import Testing

@testable import Subcommands

/// What a response to a token demands, as values.
@Suite("A rejected token") struct RejectionTests {
    /// The demands after responses with these challenges, and whether each may ask the user.
    private func demands(
        _ responses: [(Int, [String]?)], hasToken: Bool = true, signsInFor means: Rejection.Means? = nil
    ) throws -> [String] {
        var rejections = Rejections()
        var hasToken = hasToken
        return try responses.map { status, fields in
            let demand = try rejections.next(after: status, fields, sent: hasToken ? "Bearer token" : nil)
            if let demand {
                let isOfSignIn = demand.means == means
                rejections.note(TokenDesk.Token(result: try tokenResult("token"), isOfSignIn: isOfSignIn))
                hasToken = true
            }
            return demand.map { "\($0.means)\($0.maySignIn ? "" : " silently")" } ?? "-"
        }
    }

    @Test(
        "One refresh, one sign-in, then the truth, whatever the challenge says",
        arguments: [
            ["Bearer"], ["Bearer error=\"invalid_token\""], ["Bearer scope=\"a\""], ["Basic realm=\"a\""],
            ["Negotiate", "NTLM"], ["nonsense"],
        ])
    func ladder(_ fields: [String]) throws {
        let more = fields[0].contains("scope") ? ["suitable"] : []
        #expect(
            try demands(Array(repeating: (401, fields), count: 3 + more.count))
                == more + ["refreshed", "signedIn", "-"])
    }

    @Test("A user who has just signed in is not asked again for the same request") func signedInOnce() throws {
        let responses = Array(repeating: (401, ["Bearer"] as [String]?), count: 4)
        #expect(
            try demands(responses, hasToken: false, signsInFor: .suitable)
                == ["suitable", "refreshed silently", "-", "-"])
        #expect(try demands(responses, signsInFor: .refreshed) == ["refreshed", "-", "-", "-"])
    }

    @Test("A server that asks for more each time gets it once") func more() throws {
        #expect(
            try demands(["a", "b", "c"].map { (403, ["Bearer error=insufficient_scope, scope=\($0)"]) })
                == ["suitable", "-", "-"])
        let stepUp = (401, ["Bearer error=insufficient_user_authentication, acr_values=x"] as [String]?)
        #expect(try demands([stepUp, stepUp]) == ["suitable", "-"])
        #expect(try demands([(403, ["Bearer"]), (200, nil), (404, nil)]) == ["-", "-", "-"])
        #expect(try demands([(403, ["Negotiate"]), (403, ["nonsense"])]) == ["-", "-"])
    }

    @Test("Without a token, a scheme that no token answers is the API's failure") func otherScheme() {
        #expect(throws: Failure.self) { try demands([(401, ["Basic"])], hasToken: false) }
        #expect(throws: Failure.self) { try demands([(401, ["DPoP"])]) }
    }

    @Test("Windows for a server have a limit in an hour that success doesn't lift, refreshes a pause") func limits()
        throws
    {
        let now = Date(timeIntervalSince1970: 0)
        var limits = RejectionLimits()
        for _ in 1...RejectionLimits.mostSignIns { try limits.openWindow(for: "mcp.example", at: now) }
        let failure = #expect(throws: Failure.self) { try limits.openWindow(for: "mcp.example", at: now + 3599) }
        #expect(failure?.name == "tooManySignIns" && failure?.reason.hasPrefix("mcp.example has required") == true)
        try limits.openWindow(for: "mcp.example", at: now + 3600)
        for (seconds, expiry, isAllowed) in [(0.0, 600.0, true), (30, 600, false), (30, 30, true), (61, 600, true)] {
            #expect(limits.allowsRefresh(of: now + expiry, at: now + seconds) == isAllowed)
        }
    }
}
