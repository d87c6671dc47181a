import JSON
import MSAL
import TerminalUI

/// The result of importing a cache, as text and JSON.
struct ImportedCache: Equatable {
    private var program: String
    private var path: String
    private var report = MSALCacheTransferReport(accounts: [], unusedEntries: 0)
    /// Why the cache is unreadable.
    private var failure: Failure?

    init(_ cache: ForeignCache, _ report: MSALCacheTransferReport) {
        program = cache.program
        path = cache.path
        self.report = report
    }

    init(_ cache: ForeignCache, failure: Failure) {
        program = cache.program
        path = cache.path
        self.failure = failure
    }

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
            "program": .string(program), "path": .string(path), "accounts": .array(report.accounts.map(Self.json)),
            "unusedEntries": JSONValue(report.unusedEntries), "error": failure.map { .string($0.reason) },
        ])
    }

    private static func json(of account: MSALCacheTransferReport.Account) -> JSONValue {
        JSONValue(members: [
            "identifier": account.identifier.map(JSONValue.string), "username": account.username.map(JSONValue.string),
            "environment": .string(account.environment), "outcome": .string(account.outcome.rawValue),
            "detail": .string(account.detail),
        ])
    }

    /// The cache, its accounts, and the number of unused entries.
    var text: String {
        var lines = "\(Printable.sanitize(program)): \(Printable.sanitize(path))\n"
        if let failure { return lines + "  failed: \(Printable.sanitize(failure.reason))\n" }
        let rows = report.accounts.map {
            [$0.username ?? $0.identifier ?? "-", $0.environment, $0.outcome.words, $0.detail]
        }
        lines += TextTable(rows: rows, indent: "  ").text
        if report.accounts.isEmpty { lines += "  no accounts\n" }
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
