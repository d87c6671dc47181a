import AuthEngine
import Foundation

/// How tokens are kept, and whether they can be read.
package struct CacheFindings: Sendable {
    /// How the key is kept; or why the cache cannot be opened.
    package var protection: Result<MSALCacheProtection, FailureFact>
    /// How many accounts were read; `nil` when nobody tried.
    package var accounts: Result<Int, FailureFact>?

    package init(protection: Result<MSALCacheProtection, FailureFact>, accounts: Result<Int, FailureFact>?) {
        self.protection = protection
        self.accounts = accounts
    }

    package var all: [CheckFinding] { [key, health, damage].compactMap(\.self) }

    private var key: CheckFinding {
        switch protection {
        case .failure(let failure): CheckFinding("Token key", .wrong, failure.reason, fix: failure.nextStep)
        case .success(let protection):
            CheckFinding(
                "Token key", protection.kind.fix == nil ? .good : .attention, protection.explanation,
                fix: protection.kind.fix)
        }
    }

    private var damage: CheckFinding? {
        guard let count = try? protection.get().damagedRecords, count > 0 else { return nil }
        return CheckFinding(
            "Damaged records", .attention,
            "The cache holds \(count) \(count == 1 ? "record" : "records") put aside as damaged.",
            fix: "Sign in to the account again, then remove it: that deletes its damaged records.")
    }

    private var health: CheckFinding? {
        switch accounts {
        case nil: return nil
        case .failure(let failure):
            return CheckFinding("Token cache", .wrong, failure.reason, fix: failure.nextStep)
        case .success(let count):
            let place = (try? protection.get().path).flatMap { $0 }.map { ": \($0)" } ?? ""
            return CheckFinding(
                "Token cache", .good, "It can be read, and has \(count) \(count == 1 ? "account" : "accounts")\(place)."
            )
        }
    }
}

extension MSALCacheProtection.Kind {
    /// What would protect the tokens better.
    fileprivate var fix: String? {
        switch self {
        case .keyring, .passphrase: nil
        case .keyFile: "Start a keyring (Secret Service), or configure a passphrase: \"cache\": { \"key\": … }."
        case .unifiedFile: "Use \"kind\": \"encrypted\" unless other programs have to share the file."
        case .memory: "Name a file for the cache, so that people stay signed in."
        }
    }
}
