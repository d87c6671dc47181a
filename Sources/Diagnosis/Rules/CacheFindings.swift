import Foundation
import MSAL

package struct CacheFindings: Sendable {
    package var protection: Result<MSALCacheProtection, Failure>
    /// `nil` if the cache wasn't read.
    package var accounts: Result<Int, Failure>?
    /// Why a sign-in couldn't write the cache.
    package var obstacle: Failure?

    package init(
        protection: Result<MSALCacheProtection, Failure>, accounts: Result<Int, Failure>?, obstacle: Failure? = nil
    ) { (self.protection, self.accounts, self.obstacle) = (protection, accounts, obstacle) }

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
        return CheckFinding(named: "damaged-entries", "\(count)", count == 1 ? "entry" : "entries")
    }

    private var setAside: CheckFinding? {
        guard let files = try? protection.get().setAsideFiles, !files.isEmpty else { return nil }
        return CheckFinding(
            named: "set-aside-files", "\(files.count)", files.count == 1 ? "cache was" : "caches were",
            files.joined(separator: ", "))
    }

    private var health: CheckFinding? {
        if let obstacle {
            var finding = CheckFinding("Token cache", .failed, obstacle.reason, fix: obstacle.fix)
            finding.failure = obstacle
            return finding
        }
        switch accounts {
        case nil: return nil
        case .failure(let failure): return CheckFinding("Token cache", .failed, failure.reason, fix: failure.fix)
        case .success(let count):
            let place = (try? protection.get().path).flatMap { $0 }.map { ": \($0)" } ?? ""
            return CheckFinding(named: "token-cache-read", "\(count) \(count == 1 ? "account" : "accounts")\(place)")
        }
    }
}

extension MSALCacheProtection.Kind {
    fileprivate var fix: String? {
        switch self {
        case .keyring, .passphrase: nil
        case .keyFile: "Start a keyring (Secret Service), or set a passphrase: \"cache\": { \"key\": … }."
        case .unifiedFile: "Set \"kind\": \"encrypted\", unless other programs share the file."
        case .memory: "Set a file for the cache, so that users stay signed in."
        }
    }
}
