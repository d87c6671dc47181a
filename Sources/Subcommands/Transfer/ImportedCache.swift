import JSON
import MSAL
import TerminalUI

/// The result of importing a cache, as text and JSON.
struct ImportedCache: Equatable {
    let cache: ForeignCache
    var report = MSALCacheTransferReport(accounts: [], unusedEntries: 0)
    /// The identifiers of the accounts that `keyturn accounts` lists after the import.
    var listed: Set<String> = []
    /// Why the cache is unreadable.
    var failure: Failure?

    /// The exit status for the worst outcome.
    var exitCode: ExitCode {
        if let failure { return failure.exitCode }
        let outcomes = report.accounts.map(\.outcome)
        if outcomes.contains(.unreachable) { return .network }
        if outcomes.contains(.interactionRequired) { return .interactionRequired }
        return outcomes.contains(.failed) ? .failed : .done
    }

    var json: JSONValue {
        JSONValue(members: [
            "program": .string(cache.program), "path": .string(cache.path),
            "accounts": .array(report.accounts.map(json)),
            "unusedEntries": JSONValue(report.unusedEntries), "error": failure.map { .string($0.reason) },
        ])
    }

    private func isListed(_ account: MSALCacheTransferReport.Account) -> Bool {
        account.identifier.map(listed.contains) ?? false
    }

    private func json(of account: MSALCacheTransferReport.Account) -> JSONValue {
        JSONValue(members: [
            "identifier": account.identifier.map(JSONValue.string), "username": account.username.map(JSONValue.string),
            "environment": .string(account.environment), "outcome": .string(account.outcome.rawValue),
            "detail": .string(account.detail), "listed": .bool(isListed(account)),
        ])
    }

    /// The accounts of the cache, by outcome, and how many of them `keyturn accounts` lists.
    private var summary: String {
        let outcomes = MSALCacheTransferReport.Outcome.allCases.compactMap { outcome in
            let count = report.accounts.count { $0.outcome == outcome }
            return count == 0 ? nil : "\(count) \(outcome.words)"
        }
        let (all, shown) = (report.accounts.count, report.accounts.count(where: isListed))
        return "\(all == 1 ? "1 account" : "\(all) accounts"): \(outcomes.joined(separator: ", ")). "
            + (shown == all
                ? "All are listed by 'keyturn accounts'."
                : "'keyturn accounts' lists \(shown): \(all - shown) signed out here or have no token of this client ID.")
    }

    /// The cache, its accounts, their numbers, and the number of unused entries.
    var text: String {
        var lines = "\(Printable.sanitize(cache.program)): \(Printable.sanitize(cache.path))\n"
        if let failure { return lines + "  failed: \(Printable.sanitize(failure.reason))\n" }
        let rows = report.accounts.map {
            [$0.username ?? $0.identifier ?? "-", $0.environment, $0.outcome.words, $0.detail]
        }
        lines += TextTable(rows: rows, indent: "  ").text
        if report.accounts.isEmpty { lines += "  no accounts\n" } else { lines += "  \(summary)\n" }
        let unusedEntries = report.unusedEntries
        if unusedEntries > 0 {
            lines += "  \(unusedEntries == 1 ? "1 unused entry" : "\(unusedEntries) unused entries")\n"
        }
        return lines
    }
}

extension MSALCacheTransferReport.Outcome {
    fileprivate var words: String {
        switch self {
        case .imported: "imported"
        case .alreadyCached: "already cached"
        case .skipped: "skipped"
        case .interactionRequired: "sign in again"
        case .unreachable: "unreachable"
        case .failed: "failed"
        }
    }
}
