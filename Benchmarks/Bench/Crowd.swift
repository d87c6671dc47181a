import Foundation
import MSAL
import OAuthCore
import TestSupport

/// A store on disk with many accounts, and an application on it. Only the network is simulated.
final class Crowd: Sendable {
    private let folder: URL
    private let store: SQLiteCredentialStore
    private let application: MSALPublicClientApplication
    private let accounts: [MSALAccount]
    /// The time of the first list from the store.
    let listing: Duration
    /// The records of one sign-in.
    private let grant: [CredentialRecord]

    /// One user signs in at the built-in authority; the others have the same tokens under other names.
    ///
    /// - Parameter inAnotherProcess: whether to fill the store there, because its memory doesn't count. Not under
    ///   valgrind, where Foundation can't start a process.
    init(_ count: Int, inAnotherProcess: Bool = false) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "cache-bench-\(UUID().uuidString)")
        let file = folder.appending(path: "cache.db")
        store = Self.store(file)
        var world = try World()
        world.seat(.ann)
        // The tokens are current.
        world.time.advance(by: Date().timeIntervalSince(world.time.now()))
        let signIn = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        _ = try await world.application().acquireToken(with: signIn)
        grant = world.store.all
        try store.update(matching: CredentialQuery()) { [grant] _ in grant.map(CredentialChange.save) }
        if inAnotherProcess {
            let bench = URL(filePath: CommandLine.arguments[0])
            try Process.run(bench, arguments: ["fill", "\(count)", file.path]).waitUntilExit()
        } else {
            try Self.multiply(store, to: count)
        }
        var dependencies = world.dependencies
        dependencies.credentials = store
        dependencies.random = SystemRandom()
        dependencies.time = SystemTime()
        application = try world.application(with: dependencies)
        let start = ContinuousClock.now
        accounts = try application.allAccounts()
        listing = ContinuousClock.now - start
    }

    var count: Int { accounts.count }

    deinit { try? FileManager.default.removeItem(at: folder) }

    static func store(_ file: URL) -> SQLiteCredentialStore {
        SQLiteCredentialStore(
            file: file,
            keys: DataKeyVaults(
                source: .keyFile, keyFile: FileKeyVault(store: file), passphrase: nil,
                secretService: SecretServiceKeyVault(store: file.path)))
    }

    /// Fills a store with this many accounts, all like its first one.
    static func multiply(_ store: SQLiteCredentialStore, to count: Int) throws {
        let known = try store.records(matching: CredentialQuery(kinds: [.account])).map(\.key.homeAccountID)
        // The others' names are longer by their prefix.
        guard let first = known.min(by: { $0.utf8.count < $1.utf8.count }) else { return }
        let one = try store.records(matching: CredentialQuery(homeAccountIDs: [first]))
        for start in stride(from: known.count, to: count, by: 5000) {
            try store.update(matching: CredentialQuery(kinds: [])) { _ in
                // In the order of the table, which is faster to write.
                one.flatMap { record in
                    (start..<min(start + 5000, count)).compactMap { copy(record, $0) }.map(CredentialChange.save)
                }
            }
        }
    }

    /// A record as of another account; `nil` for one that belongs to no account.
    private static func copy(_ record: CredentialRecord, _ number: Int) -> CredentialRecord? {
        guard !record.key.homeAccountID.isEmpty else { return nil }
        var copy = record
        let digits = String(number)
        let prefix = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        copy.key.homeAccountID = "\(prefix)-\(record.key.homeAccountID)"
        copy.members["home_account_id"] = .string(copy.key.homeAccountID)
        if record.key.kind == .account { copy.members["username"] = .string("person-\(number)@contoso.example") }
        return copy
    }

    nonisolated(nonsending) func token(of number: Int) async throws {
        let account = accounts[number % accounts.count]
        _ = try await application.acquireTokenSilent(
            with: MSALSilentTokenParameters(scopes: ["User.Read"], account: account))
    }

    func list() throws { _ = try application.allAccounts() }

    /// One transaction, as for one response.
    func saveOneMore(_ number: Int) throws {
        let records = grant.compactMap { Self.copy($0, accounts.count + number) }
        try store.update(matching: CredentialQuery(homeAccountIDs: [records[0].key.homeAccountID, ""])) { _ in
            records.map(CredentialChange.save)
        }
    }
}
