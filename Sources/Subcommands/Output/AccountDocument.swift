import Console
import Foundation
import MSAL
import TerminalUI

/// The JSON of an account.
struct AccountDocument: Encodable, Equatable {
    /// Opaque. For `--account` and `remove`.
    var identifier: String?
    var username: String?
    var environment: String
    var tenantId: String?
    /// The URLs of the authorities where it has signed in. In lists and removals.
    var authorities: [String]?

    /// - Parameter tenantID: the tenant of the tokens, if any, which can be a guest tenant.
    private init(_ account: MSALAccount, tenantID: String?) {
        identifier = account.identifier
        username = account.username
        environment = account.environment
        tenantId = tenantID ?? account.homeAccountId?.tenantId ?? account.tenantProfiles?.first?.tenantId
    }

    init(_ account: MSALAccount, authorities: [URL] = []) {
        self.init(account, tenantID: nil)
        self.authorities = authorities.isEmpty ? nil : authorities.map(\.absoluteString)
    }

    /// Writes the JSON of a list.
    ///
    /// - Parameter authorities: by the accounts' identifiers.
    static func write(
        _ accounts: [MSALAccount], _ authorities: [String: [URL]], to output: any TextSink
    ) throws(TextSinkFailure) {
        try JSONText.list(accounts, write: output.write) { account, object in
            let document = document(account, authorities)
            object.add("authorities", document.authorities)
            object.add("environment", document.environment)
            object.add("identifier", document.identifier)
            object.add("tenantId", document.tenantId)
            object.add("username", document.username)
        }
    }

    /// - Parameter authorities: by the accounts' identifiers.
    static func documents(_ accounts: [MSALAccount], _ authorities: [String: [URL]]) -> [AccountDocument] {
        accounts.map { document($0, authorities) }
    }

    private static func document(_ account: MSALAccount, _ authorities: [String: [URL]]) -> AccountDocument {
        AccountDocument(account, authorities: account.identifier.flatMap { authorities[$0] } ?? [])
    }

    init(_ result: MSALResult) { self.init(result.account, tenantID: result.tenantProfile.tenantId) }
}

/// Accounts as lines: username, environment, identifier, and the state of the token.
struct AccountTable {
    var accounts: [MSALAccount]
    /// The state of each account's token, by identifier; nil to omit that column and the heading.
    var states: [String: String]?
    /// The URLs of the authorities where accounts have signed in, by identifier.
    var authorities: ([MSALAccount]) throws -> [String: [URL]] = { _ in [:] }

    func text() throws -> String {
        let namesakes = Dictionary(grouping: accounts) { Name($0) }.filter { $0.value.count > 1 }
        // Accounts of the same name and host differ in their authority.
        let known = namesakes.isEmpty ? [:] : try authorities(namesakes.values.flatMap(\.self))
        let rows = accounts.map { account in
            let isAmbiguous = namesakes[Name(account)] != nil
            let authority = isAmbiguous ? account.identifier.flatMap { known[$0]?.first?.absoluteString } : nil
            let state = states.map { states in [account.identifier.flatMap { states[$0] } ?? "-"] } ?? []
            return [account.username ?? "-", authority ?? account.environment, account.identifier ?? "-"] + state
        }
        let heading = states == nil || rows.isEmpty ? [] : [["USERNAME", "ENVIRONMENT", "IDENTIFIER", "TOKEN"]]
        return TextTable(rows: heading + rows).text
    }

    private struct Name: Hashable {
        var username: String?
        var environment: String

        init(_ account: MSALAccount) {
            username = account.username?.lowercased()
            environment = account.environment
        }
    }
}

/// The message after removing an account.
struct RemovalReport {
    var account: MSALAccount
    /// The number of accounts that the application still lists.
    var left: Int
    /// The number of set-aside damaged cache files that remain.
    var setAside: Int

    var text: String {
        let name = Printable.sanitize(account.username ?? account.identifier ?? "")
        let others = left == 1 ? "1 listed account" : "\(left) listed accounts"
        let damaged =
            switch setAside {
            case 0: ""
            case 1: "1 damaged cache file that was set aside may still contain tokens. \(Self.wayOut)\n"
            default: "\(setAside) damaged cache files that were set aside may still contain tokens. \(Self.wayOut)\n"
            }
        return """
            Removed \(name). \(others) left.
            The browser may still be signed in at \(Printable.sanitize(account.environment)).

            """ + damaged
    }

    private static let wayOut = "To delete set-aside files, run 'keyturn remove --all'."

    /// A line for each kind of removed remains; empty if there were none.
    static func text(of remains: MSALRemovedRemains) -> String {
        func line(_ count: Int, _ one: String, _ several: String) -> String? {
            switch count {
            case 0: nil
            case 1: "Removed 1 \(one).\n"
            default: "Removed \(count) \(several).\n"
            }
        }
        return [
            line(remains.accounts, "unlisted account", "unlisted accounts"),
            line(remains.damagedRecords, "damaged entry", "damaged entries"),
            line(
                remains.setAsideFiles.count, "damaged cache file that was set aside",
                "damaged cache files that were set aside"),
        ].compactMap(\.self).joined()
    }
}

/// The accounts that a command doesn't list or remove: of other authorities and of other clients.
struct StayingAccounts {
    /// The accounts, and the command that lists or removes them.
    private var groups: [(accounts: String, command: String)] = []

    /// - Parameter profiles: the configuration's, to name them in commands.
    init(in application: MSALPublicClientApplication, _ profiles: [Profile]) throws {
        try self.init(ofOtherClientsIn: application, profiles, command: "remove --all")
        let others = try application.otherAuthorities(of: application.allAccounts())
        for (authority, accounts) in Dictionary(grouping: others, by: \.value).sorted(by: {
            $0.key.absoluteString < $1.key.absoluteString
        }) {
            let own = profiles.filter { $0.clientID.lowercased() == application.configuration.clientId.lowercased() }
            let home = AccountHome(of: [authority], among: own.map { ($0.name, $0.authority.absoluteString) }).profile
            groups.append(
                (
                    "\(Moment.count(accounts.count, "account")) at \(authority.absoluteString)",
                    home.map { "remove --all --profile \($0)" } ?? "remove ID"
                ))
        }
    }

    init(
        ofOtherClientsIn application: MSALPublicClientApplication, _ profiles: [Profile], command: String = "accounts"
    ) throws {
        for (client, count) in try application.accountsOfOtherClients().sorted(by: { $0.key < $1.key }) {
            let profile = profiles.first { $0.clientID.lowercased() == client }
            groups.append(
                (
                    "\(Moment.count(count, "account")) of the client ID \(client)",
                    "\(command) \(profile.map { "--profile \($0.name)" } ?? "--client-id \(client.quotedForShell)")"
                ))
        }
    }

    var text: String {
        groups.map { "Not included: \(Printable.sanitize("\($0.accounts) ('keyturn \($0.command)')")).\n" }.joined()
    }
}

/// The JSON of `sign-out` and `remove`.
struct RemovalDocument: Encodable {
    var accounts: [AccountDocument]
    /// The number of accounts that the application still lists.
    var accountsLeft: Int
    var isSignedOutInBrowser: Bool
    /// The other data that `remove --all` removed.
    var remains: Remains?

    struct Remains: Encodable {
        var accounts: Int
        var damagedRecords: Int
        var setAsideFiles: [String]

        init(_ remains: MSALRemovedRemains) {
            accounts = remains.accounts
            damagedRecords = remains.damagedRecords
            setAsideFiles = remains.setAsideFiles
        }
    }

    init(
        of accounts: [AccountDocument], from application: MSALPublicClientApplication,
        isSignedOutInBrowser: Bool = false,
        remains: MSALRemovedRemains? = nil
    ) throws {
        self.accounts = accounts
        accountsLeft = try application.allAccounts().count
        self.isSignedOutInBrowser = isSignedOutInBrowser
        self.remains = remains.map(Remains.init)
    }
}

extension RemovalReport {
    init(of account: MSALAccount, in application: MSALPublicClientApplication) throws {
        self.init(
            account: account, left: try application.allAccounts().count,
            setAside: try application.cacheProtection.setAsideFiles.count)
    }
}
