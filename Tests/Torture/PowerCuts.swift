import CPowerLoss
import Foundation
import MSAL

/// A store that loses power at random moments: afterwards it must have every change it reported, with or without the
/// change in progress.
final class PowerCuts {
    private typealias State = [CredentialKey: String]

    private struct Cut {
        var folder: Scratch
        /// The allowed states of a store afterwards.
        var states: [State]
    }

    private let folder: Scratch
    private let wanted: Int
    private var taken = 0
    private var cuts: [Cut] = []
    private var acknowledged: State = [:]
    private var running: State?
    /// The number of the next use of each account's refresh token.
    private var uses: [String: Int] = [:]
    private var generator = SystemRandomNumberGenerator()
    private(set) var tally = Tally()

    /// - Parameter lies: Syncs are ignored, as on a disk that lies. Then a loss is expected.
    init(_ count: Int, lies: Bool) throws {
        folder = try Scratch()
        wanted = count
        let me = Unmanaged.passUnretained(self).toOpaque()
        let isFollowed = keyturn_power_follow(
            folder.path, lies ? 1 : 0,
            { context in
                guard let context else { return }
                Unmanaged<PowerCuts>.fromOpaque(context).takeUnretainedValue().step()
            }, me)
        guard isFollowed == 1 else { throw Worker.Misuse() }
    }

    deinit { keyturn_power_forget() }

    func run() throws {
        var source = MSALCacheKeySource.keyFile
        var store = Store(folder.path, source).open()
        while taken < wanted {
            switch Int.random(in: 0..<20) {
            case 0: store = Store(folder.path, source).open()
            case 1:
                source = source == .keyFile ? .passphrase : .keyFile
                store = Store(folder.path, source).open()
                _ = try store.records(matching: CredentialQuery())
            case 2...4: try change(store, removals())
            case 5: try change(store, [.save(secret(.proofKey, "", "key \(taken)"))])
            default: try change(store, refresh())
            }
            try judge()
        }
    }

    /// Redeems the refresh token of an account at the authority, which accepts each token once, and saves the new one.
    private func refresh() -> [CredentialChange] {
        let account = "person.\(Int.random(in: 0..<12))"
        let use = (uses[account] ?? 0) + 1
        uses[account] = use
        return [.refreshToken, .accessToken, .idToken, .account].map { .save(secret($0, account, "\(use)")) }
    }

    private func removals() -> [CredentialChange] {
        guard let account = acknowledged.keys.filter({ !$0.homeAccountID.isEmpty }).randomElement()?.homeAccountID
        else {
            return []
        }
        return acknowledged.keys.filter { $0.homeAccountID == account }.map { .delete($0) }
    }

    private func secret(_ kind: CredentialKey.Kind, _ account: String, _ secret: String) -> CredentialRecord {
        CredentialRecord(
            CredentialKey(kind, homeAccountID: account, environment: "login.test"),
            ["secret": .string(secret), "filler": .string(String(repeating: "x", count: 700))])
    }

    private func change(_ store: SQLiteCredentialStore, _ changes: [CredentialChange]) throws {
        var next = acknowledged
        for change in changes {
            switch change {
            case .save(let record): next[record.key] = record.members["secret"]?.string
            case .delete(let key): next[key] = nil
            }
        }
        running = next
        try store.update(matching: CredentialQuery(homeAccountIDs: Set(changes.map(\.key.homeAccountID)))) { _ in
            changes
        }
        acknowledged = next
        running = nil
    }

    /// Before a file changes: the power may fail now.
    private func step() {
        guard taken < wanted, Int.random(in: 0..<3) == 0 else { return }
        taken += 1
        guard let after = try? Scratch(), keyturn_power_cut(after.path, generator.next()) == 1 else {
            tally.lost += 1
            return
        }
        // Writes outside SQLite are replaced by a function that syncs before it returns.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasSuffix(".key") || name.hasSuffix(".anchor") {
            try? FileManager.default.copyItem(
                at: folder.url.appending(path: name), to: after.url.appending(path: name))
        }
        cuts.append(Cut(folder: after, states: [acknowledged] + [running].compactMap(\.self)))
    }

    private func judge() throws {
        for cut in cuts {
            tally.tried += 1
            let records = try? Store(cut.folder.path).open().records(matching: CredentialQuery())
            let found = records.map { records in
                Dictionary(records.map { ($0.key, $0.members["secret"]?.string ?? "") }) { first, _ in first }
            }
            if let found, cut.states.contains(found) { continue }
            tally.lost += 1
        }
        cuts = []
    }
}

extension Fault {
    static func powerCut(_ scale: Scale) throws -> Tally {
        let cuts = try PowerCuts(scale.kills, lies: scale.liesAboutSyncs)
        try cuts.run()
        return cuts.tally
    }
}
