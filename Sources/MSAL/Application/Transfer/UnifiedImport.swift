import Foundation
import OAuthCore

struct UnifiedImport {
    private(set) var changes: [CredentialChange] = []
    private(set) var accounts: [MSALCacheTransferReport.Account] = []
    private let existing: [CredentialKey: CredentialRecord]
    private let now: Date

    private enum Fate: Hashable {
        case imported
        /// The existing record is identical, or the imported one isn't known to be newer.
        case here
        case expired
    }

    init(_ records: [CredentialRecord], into existing: [CredentialRecord], at now: Date) {
        self.existing = Dictionary(existing.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        self.now = now
        let byAccount = Dictionary(grouping: records, by: \.key.homeAccountID)
        for homeAccountID in byAccount.keys.sorted() {
            let own = byAccount[homeAccountID] ?? []
            let fates = own.map { (record: $0, fate: fate(of: $0)) }
            let imported = fates.filter { $0.fate == .imported }.map(\.record)
            changes += imported.map { .save($0) }
            changes += signIns(with: imported)
            guard !homeAccountID.isEmpty else { continue }
            let account = own.first { $0.key.kind == .account }
            accounts.append(
                MSALCacheTransferReport.Account(
                    identifier: homeAccountID, username: account?.members["username"]?.string,
                    environment: (account ?? own.first)?.key.environment ?? "", outcome: outcome(fates.map(\.fate)),
                    detail: detail(fates, hasAccount: account != nil)))
        }
    }

    /// Ends the recorded sign-out of each client that gets a refresh token, so that its account is listed again.
    private func signIns(with imported: [CredentialRecord]) -> [CredentialChange] {
        let keys = Set(
            imported.filter { $0.key.kind == .refreshToken }.map(\.key).map { token in
                CredentialKey(.accountMetadata, homeAccountID: token.homeAccountID, client: token.client)
            })
        return keys.sorted().compactMap { key in
            guard let metadata = existing[key], metadata.signInState == .signedOut else { return nil }
            return .save(
                .accountMetadata(
                    homeAccountID: key.homeAccountID, clientID: key.client, signInState: .signedIn,
                    realms: metadata.realms))
        }
    }

    private func fate(of record: CredentialRecord) -> Fate {
        if [.accessToken, .boundAccessToken].contains(record.key.kind),
            record.date("expires_on").map({ $0 <= now }) ?? true
        {
            return .expired
        }
        guard let own = existing[record.key] else { return .imported }
        // Only this cache knows whether an account signed out of it.
        guard record.key.kind != .accountMetadata, let theirs = record.writtenAt, let ours = own.writtenAt else {
            return .here
        }
        return theirs > ours ? .imported : .here
    }

    private func outcome(_ fates: [Fate]) -> MSALCacheTransferReport.Outcome {
        if fates.contains(.imported) { return .imported }
        return fates.contains(.here) ? .alreadyCached : .skipped
    }

    private func detail(_ fates: [(record: CredentialRecord, fate: Fate)], hasAccount: Bool) -> String {
        func count(_ fate: Fate) -> String? {
            let kinds = fates.filter { $0.fate == fate }.map(\.record.key.kind)
            let parts = Self.names.compactMap { kind, one, many in
                let count = kinds.count { $0 == kind }
                return count == 0 ? nil : "\(count) \(count == 1 ? one : many)"
            }
            return parts.isEmpty ? nil : parts.joined(separator: ", ")
        }
        let parts = [
            count(.imported), count(.here).map { "already here: \($0)" },
            count(.expired).map { "expired and skipped: \($0)" }, hasAccount ? nil : "no account entry",
        ]
        return parts.compactMap(\.self).joined(separator: "; ")
    }

    private static let names: [(CredentialKey.Kind, String, String)] = [
        (.refreshToken, "refresh token", "refresh tokens"), (.accessToken, "access token", "access tokens"),
        (.boundAccessToken, "bound access token", "bound access tokens"), (.idToken, "ID token", "ID tokens"),
        (.account, "account entry", "account entries"),
    ]
}

extension CredentialRecord {
    fileprivate var writtenAt: Date? { date("last_modification_time") ?? date("cached_at") }
}
