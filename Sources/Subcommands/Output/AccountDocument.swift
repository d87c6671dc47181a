import Console
import Foundation
import JSON
import KeyturnSystem
import MSAL
import TerminalUI

extension MSALAccount {
    /// - Parameter tenantID: that of the tokens, which can be a guest tenant.
    func json(
        tenantID: String? = nil, authorities: [URL] = [], resource: String? = nil, profile: String? = nil,
        isDefault: Bool = false, summary: AccountSummary? = nil, at now: Date? = nil
    ) -> JSONValue {
        let state = summary?.state(at: now)
        let tenant = tenantID ?? homeAccountId?.tenantId ?? tenantProfiles?.first?.tenantId
        return JSONValue(members: [
            "authorities": authorities.isEmpty ? nil : JSONValue(authorities.map(\.absoluteString)),
            "environment": environment.isEmpty ? nil : .string(environment),
            // Opaque. For `--account` and `remove`.
            "identifier": identifier.map(JSONValue.string), "isDefault": isDefault ? .bool(true) : nil,
            "profile": profile.map(JSONValue.string), "resource": resource.map(JSONValue.string),
            "signInEndReason": (summary?.signInExpiry?.basis.rawValue).map(JSONValue.string),
            "signInEndsOn": (summary?.signInExpiry?.date.ISO8601Format()).map(JSONValue.string),
            "signedInOn": (summary?.signedInOn?.ISO8601Format()).map(JSONValue.string),
            "state": (state?.name).map(JSONValue.string), "tenantId": tenant.map(JSONValue.string),
            "tokenExpiresOn": (state?.expiry?.ISO8601Format()).map(JSONValue.string),
            "username": username.map(JSONValue.string),
        ])
    }
}

extension MSALResult {
    var accountJSON: JSONValue { account.json(tenantID: tenantProfile.tenantId) }
}

struct AccountTable {
    var accounts: [MSALAccount]
    /// The state of each account's token, by identifier; nil to omit that column and the heading.
    var states: [String: String]?
    /// When the sign-ins end, by identifier; empty to omit that column.
    var signInExpiries: [String: String] = [:]
    var authorities: ([MSALAccount]) throws -> [String: [URL]] = { _ in [:] }
    /// Whether it has the identifiers, which are too wide for most terminals.
    var isWide = true
    var usual: String?

    /// - Parameter columns: the width of the terminal; `nil` for a line per account, as in the wide form.
    func text(columns: Int? = nil) throws -> String {
        func name(_ account: MSALAccount) -> [String?] { [account.username?.lowercased(), account.environment] }
        let namesakes = Dictionary(grouping: accounts, by: name).filter { $0.value.count > 1 }
        // Accounts of the same name and host differ in their authority.
        let known = namesakes.isEmpty ? [:] : try authorities(namesakes.values.flatMap(\.self))
        func isUsual(_ account: MSALAccount) -> Bool { usual != nil && account.identifier == usual }
        let rows = accounts.map { account in
            let identifier = account.identifier ?? "-"
            let authority = namesakes[name(account)].flatMap { _ in known[identifier]?.first?.absoluteString }
            return [account.username ?? "-", authority ?? account.environment] + (isWide ? [identifier] : [])
                + (states.map { [$0[identifier] ?? "-"] } ?? [])
                + (signInExpiries.isEmpty ? [] : [signInExpiries[identifier] ?? "-"])
                + (isUsual(account) ? ["default"] : [])
        }
        let titles =
            ["USERNAME", "ENVIRONMENT"] + (isWide ? ["IDENTIFIER"] : []) + ["TOKEN"]
            + (signInExpiries.isEmpty ? [] : ["SIGN-IN ENDS"]) + (accounts.contains(where: isUsual) ? ["DEFAULT"] : [])
        let heading = states == nil || rows.isEmpty ? [] : [titles]
        return TextTable(rows: heading + rows).text(columns: isWide ? nil : columns)
    }
}

struct RemovalReport {
    var account: MSALAccount
    /// The number of accounts that the application still lists.
    var left: Int
    /// The number of set-aside damaged cache files that remain.
    var setAside: Int
    /// Whether it was the default account, which it stays: signing in again often fixes a problem.
    var isDefault = false

    var text: String {
        let name = Printable.sanitize(account.username ?? account.identifier ?? "")
        let others = left == 1 ? "1 listed account" : "\(left) listed accounts"
        let damaged = Self.counted(setAside, Self.setAsideFiles).map {
            "\($0) may still contain tokens. To delete set-aside files, run 'keyturn remove --all'.\n"
        }
        return """
            Removed \(name). \(others) left.\(isDefault ? "\n\(AccountSummary.staysDefault)" : "")
            The browser may still be signed in at \(Printable.sanitize(account.environment)).

            """ + (damaged ?? "")
    }

    private static let setAsideFiles = (
        "damaged cache file that was set aside", "damaged cache files that were set aside"
    )

    static func text(of remains: MSALRemovedRemains) -> String {
        [
            counted(remains.accounts, ("unlisted account", "unlisted accounts")),
            counted(remains.damagedRecords, ("damaged entry", "damaged entries")),
            counted(remains.setAsideFiles.count, setAsideFiles),
        ].compactMap(\.self).map { "Removed \($0).\n" }.joined()
    }

    private static func counted(_ count: Int, _ noun: (one: String, several: String)) -> String? {
        count == 0 ? nil : "\(count) \(count == 1 ? noun.one : noun.several)"
    }
}

/// The accounts that a command doesn't list or remove: of other authorities and of other clients.
struct StayingAccounts {
    private(set) var text = ""

    /// - Parameter resources: those that were signed in to, to name them instead of the clients registered for them.
    init(
        in application: MSALPublicClientApplication, _ profiles: [Profile],
        _ resources: @autoclosure () throws -> [MSALProtectedResource]
    ) throws {
        try self.init(ofOtherClientsIn: application, profiles, try resources(), command: "remove --all")
        let others = try application.otherAuthorities(of: application.allAccounts())
        for (authority, accounts) in Dictionary(grouping: others, by: \.value).sorted(by: {
            $0.key.absoluteString < $1.key.absoluteString
        }) {
            let own = profiles.filter { $0.clientID.lowercased() == application.configuration.clientId.lowercased() }
            let home = AccountHome(of: [authority], among: own.map { ($0.name, $0.authority.absoluteString) }).profile
            add(
                "\(Moment.count(accounts.count, "account")) at \(authority.absoluteString)",
                home.map { "remove --all --profile \($0.quotedForShell)" }
                    ?? "remove ID\(Self.options(application.configuration.clientId, authority, unless: profiles))")
        }
    }

    init(
        ofOtherClientsIn application: MSALPublicClientApplication, _ profiles: [Profile],
        _ resources: @autoclosure () throws -> [MSALProtectedResource], command: String = "accounts"
    ) throws {
        let others = try application.accountsOfOtherClients().sorted { $0.key < $1.key }
        // Only then, because it opens the cache again.
        let resources = others.isEmpty ? [] : try resources()
        for (client, count) in others {
            let profile = profiles.first { $0.clientID.lowercased() == client }
            // Several resources of an authority share a registration.
            let urls = resources.filter { $0.clientId.lowercased() == client && $0.clientSource == .registration }
                .map(\.url.absoluteString)
            if let first = urls.first, profile == nil {
                add(
                    "\(Moment.count(count, "account")) of \(urls.joined(separator: ", "))",
                    "\(command) --resource \(first.quotedForShell)")
                continue
            }
            let named = Self.options(client, application.configuration.authority.url, unless: profiles)
            let options = named.isEmpty ? " --client-id \(client.quotedForShell)" : named
            add(
                "\(Moment.count(count, "account")) of the client ID \(client)",
                command + (profile.map { " --profile \($0.name.quotedForShell)" } ?? options))
        }
    }

    private mutating func add(_ accounts: String, _ command: String) {
        text += "Not included: \(Printable.sanitize("\(accounts) ('keyturn \(command)')")).\n"
    }

    /// The application of a command; empty if a profile has the authority.
    private static func options(_ client: String, _ authority: URL, unless profiles: [Profile]) -> String {
        profiles.isEmpty
            ? " --client-id \(client.quotedForShell) --authority \(authority.absoluteString.quotedForShell)" : ""
    }
}

extension MSALPublicClientApplication {
    /// The JSON of `sign-out` and `remove`.
    func removalJSON(
        of accounts: [JSONValue], isSignedOutInBrowser: Bool = false, remains: MSALRemovedRemains? = nil
    ) throws -> JSONValue {
        JSONValue(members: [
            "accounts": .array(accounts),
            // The number of accounts that the application still lists.
            "accountsLeft": JSONValue(try allAccounts().count), "isSignedOutInBrowser": .bool(isSignedOutInBrowser),
            "remains": remains.map { remains in
                [
                    "accounts": JSONValue(remains.accounts), "damagedRecords": JSONValue(remains.damagedRecords),
                    "setAsideFiles": JSONValue(remains.setAsideFiles),
                ]
            },
        ])
    }
}

extension MSALRevocation {
    fileprivate var word: String {
        switch self {
        case .revoked: "revoked"
        case .notOffered: "notOffered"
        case .nothingToRevoke: "nothingToRevoke"
        case .failed: "failed"
        }
    }

    var isFailure: Bool {
        if case .failed = self { true } else { false }
    }

    /// Whether no token of this application is valid at the authority.
    var isCertain: Bool {
        switch self {
        case .revoked, .nothingToRevoke: true
        case .notOffered, .failed: false
        }
    }
}

extension JSONValue {
    /// The JSON of an account, with what became of its tokens at the authority if that was tried.
    func adding(_ revocation: MSALRevocation?) -> JSONValue {
        guard let revocation, var members = object else { return self }
        members["revocation"] = .string(revocation.word)
        return .object(members)
    }
}

extension MSALSignoutParameters {
    /// Makes the sign-out revoke the tokens, and note the outcome. An account of another authority is only removed.
    func revoke(
        _ account: MSALAccount, of application: MSALPublicClientApplication, noting outcome: Locked<MSALRevocation?>
    ) {
        guard let others = try? application.otherAuthorities(of: [account]), others.isEmpty else { return }
        revokesTokens = true
        revocationHandler = { revocation in outcome.withLock { $0 = revocation } }
    }
}
