import Foundation
import MSAL

/// Findings about the token cache: its protection and whether it is readable.
package struct CacheFindings: Sendable {
    /// The protection of the key, or the reason why the cache can't be opened.
    package var protection: Result<MSALCacheProtection, Failure>
    /// The number of accounts; `nil` if the cache wasn't read.
    package var accounts: Result<Int, Failure>?
    /// Why a sign-in couldn't write the cache.
    package var obstacle: Failure?

    package init(
        protection: Result<MSALCacheProtection, Failure>, accounts: Result<Int, Failure>?, obstacle: Failure? = nil
    ) {
        self.protection = protection
        self.accounts = accounts
        self.obstacle = obstacle
    }

    package var all: [CheckFinding] { [key, health, damage, setAside].compactMap(\.self) }

    private var key: CheckFinding? {
        switch protection {
        case .failure(let failure):
            // The finding of the accounts reports the same failure.
            if case .failure(let other) = accounts, other.reason == failure.reason { return nil }
            return CheckFinding("Encryption", .failed, failure.reason, fix: failure.fix)
        case .success(let protection):
            return CheckFinding(
                "Encryption", protection.kind.fix == nil ? .passed : .warning, protection.explanation,
                fix: protection.kind.fix)
        }
    }

    private var damage: CheckFinding? {
        guard let count = try? protection.get().damagedRecords, count > 0 else { return nil }
        return CheckFinding(
            "Damaged entries", .warning,
            "The cache has \(count) damaged \(count == 1 ? "entry" : "entries").",
            fix: "Sign in to the account again, then remove it, which deletes its damaged entries. "
                + "'keyturn remove --all' deletes them, and all accounts of the profile's authority.")
    }

    private var setAside: CheckFinding? {
        guard let files = try? protection.get().setAsideFiles, !files.isEmpty else { return nil }
        return CheckFinding(
            "Set-aside files", .warning,
            "\(files.count) damaged token \(files.count == 1 ? "cache was" : "caches were") set aside and may still contain "
                + "tokens: \(files.joined(separator: ", ")).",
            fix:
                "Delete those you don't need. 'keyturn remove --all' deletes them, and all accounts of the profile's authority."
        )
    }

    private var health: CheckFinding? {
        if let obstacle {
            var finding = CheckFinding("Token cache", .failed, obstacle.reason, fix: obstacle.fix)
            finding.failure = obstacle
            return finding
        }
        switch accounts {
        case nil: return nil
        case .failure(let failure):
            return CheckFinding("Token cache", .failed, failure.reason, fix: failure.fix)
        case .success(let count):
            let place = (try? protection.get().path).flatMap { $0 }.map { ": \($0)" } ?? ""
            return CheckFinding(
                "Token cache", .passed, "\(count) \(count == 1 ? "account" : "accounts")\(place)."
            )
        }
    }
}

extension MSALCacheProtection.Kind {
    /// How to protect the tokens better.
    fileprivate var fix: String? {
        switch self {
        case .keyring, .passphrase: nil
        case .keyFile: "Start a keyring (Secret Service), or set a passphrase: \"cache\": { \"key\": … }."
        case .unifiedFile: "Set \"kind\": \"encrypted\", unless other programs share the file."
        case .memory: "Set a file for the cache, so that users stay signed in."
        }
    }
}
