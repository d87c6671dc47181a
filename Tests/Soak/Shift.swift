import Foundation
import MSAL

/// One of many processes on one cache: signs its user in, refreshes and removes in any order, while the authority
/// misbehaves.
///
/// Other processes do not remove its committed records, so after each step it checks that they are there.
struct Shift {
    let client: Client
    let seconds: Double
    private var counts: [String: Int] = [:]
    /// Whether this user's account must be in the cache.
    private var isSignedIn = false

    init(client: Client, seconds: Double) {
        self.client = client
        self.seconds = seconds
    }

    mutating func work() async throws {
        let start = ContinuousClock.now
        var nextReport = Duration.seconds(seconds / 10)
        say("usage \(try Usage.now().line)")
        while .now - start < .seconds(seconds) {
            try await step()
            guard .now - start > nextReport else { continue }
            nextReport += .seconds(seconds / 10)
            say("usage \(try Usage.now().line)")
        }
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) { say("count \(count) \(name)") }
    }

    private mutating func step() async throws {
        guard let account = try client.account() else {
            if isSignedIn { count("lost: the account") }
            return await signIn()
        }
        if !isSignedIn { count("lost: the removal") }
        switch Int.random(in: 0..<10) {
        case 0:
            try client.remove(account)
            isSignedIn = false
            count("removed")
        case 1: await signIn()
        case 2...5: await refresh(account)
        default: await silent(account)
        }
    }

    private mutating func signIn() async {
        await attempt("signed in") { [client] in _ = try await client.signIn() }
        // A failed sign-in leaves the earlier records.
        isSignedIn = isSignedIn || lastWasDone
    }

    /// A refresh whose response is lost has used up the refresh token: only then the user is needed.
    private mutating func refresh(_ account: MSALAccount) async {
        await attempt("refreshed") { [client] in try await client.token(of: account, isRefreshed: true) }
    }

    /// The access token was committed with the sign-in and lasts longer than this process.
    private mutating func silent(_ account: MSALAccount) async {
        await attempt("read from the cache") { [client] in try await client.token(of: account, isRefreshed: false) }
        if !lastWasDone { count("lost: the cached token") }
    }

    private var lastWasDone = false

    private mutating func attempt(_ name: String, _ work: () async throws -> Void) async {
        do {
            try await work()
            lastWasDone = true
            count(name)
        } catch {
            lastWasDone = false
            count("not \(name): \(Self.name(of: error as NSError))")
        }
    }

    /// Failures that a misbehaving authority explains. Any other failure appears in the table, with its text.
    private static func name(of error: NSError) -> String {
        if error.domain == NSURLErrorDomain
            || (error.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == NSURLErrorDomain
        {
            return "the network"
        }
        if let status = error.userInfo[MSALHTTPResponseCodeKey] as? String, ["429", "503"].contains(status) {
            return "the authority, \(status)"
        }
        if error.code == MSALError.interactionRequired.rawValue { return "a sign-in is needed" }
        return "\(error.domain) \(error.code), \(error.localizedDescription)"
    }

    private mutating func count(_ name: String) { counts[name, default: 0] += 1 }
}
