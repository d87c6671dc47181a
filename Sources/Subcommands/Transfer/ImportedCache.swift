import MSAL
import TerminalUI

/// The result of importing a cache, as text and JSON.
struct ImportedCache: Encodable, Equatable {
    var program: String
    var path: String
    var accounts: [Account] = []
    var unusedEntries = 0
    /// Why the cache is unreadable.
    var error: String?

    struct Account: Encodable, Equatable {
        var identifier: String?
        var username: String?
        var environment: String
        var outcome: String
        var detail: String
    }

    private var reports: [MSALCacheTransferReport.Outcome] = []
    private var failure: ExitCode?

    private enum CodingKeys: String, CodingKey { case program, path, accounts, unusedEntries, error }

    init(_ cache: ForeignCache, _ report: MSALCacheTransferReport) {
        program = cache.program
        path = cache.path
        unusedEntries = report.unusedEntries
        reports = report.accounts.map(\.outcome)
        accounts = report.accounts.map {
            Account(
                identifier: $0.identifier, username: $0.username, environment: $0.environment,
                outcome: $0.outcome.rawValue, detail: $0.detail)
        }
    }

    init(_ cache: ForeignCache, failure: FailureReport) {
        program = cache.program
        path = cache.path
        error = failure.description
        self.failure = failure.exitCode
    }

    /// The exit status for the worst outcome.
    var exitCode: ExitCode {
        if let failure { return failure }
        if reports.contains(.unreachable) { return .network }
        if reports.contains(.interactionRequired) { return .interactionRequired }
        return reports.contains(.failed) ? .failed : .done
    }

    /// The cache, its accounts, and the number of unused entries.
    var text: String {
        var lines = "\(Printable.sanitize(program)): \(Printable.sanitize(path))\n"
        if let error { return lines + "  failed: \(Printable.sanitize(error))\n" }
        let rows = zip(accounts, reports).map { account, outcome in
            [account.username ?? account.identifier ?? "-", account.environment, outcome.words, account.detail]
        }
        lines += TextTable(rows: rows, indent: "  ").text
        if accounts.isEmpty { lines += "  no accounts\n" }
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
