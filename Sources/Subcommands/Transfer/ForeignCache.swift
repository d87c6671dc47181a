import Foundation
import JSON
import KeyturnSystem
import MSAL
import TerminalUI

struct ForeignCache: Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable { case unified, adal }

    var program: String
    var kind: Kind
    var path: String
    /// The content of a keyring item; `nil` for a file.
    var content: Data?

    /// Larger files aren't token caches.
    private static let mostBytes = 256 << 20

    /// Imports the cache. Waits for another program that is writing the file.
    func bring(into application: MSALPublicClientApplication) async throws -> MSALCacheTransferReport {
        if let content { return try await bring(content, into: application) }
        var watch = SettlingWatch(path: path, patience: .init())
        while true {
            let (data, version) = try read()
            do { return try await bring(data, into: application) } catch {
                // An incomplete one isn't a cache, either.
                let code = (error as NSError).userInfo[MSALInternalErrorCodeKey] as? Int
                let isNone = code == MSALInternalError.internalErrorInvalidParameter.rawValue
                guard data.isEmpty || isNone else { throw error }
                switch watch.verdict(on: version) {
                case .again(let microseconds): try await sleep(for: .microseconds(Int(microseconds)))
                case .final: throw error
                case .unfinished(let writer): throw unfinished(writer)
                }
            }
        }
    }

    private func bring(
        _ data: Data, into application: MSALPublicClientApplication
    ) async throws -> MSALCacheTransferReport {
        if data.isEmpty { throw unreadable("it is empty", name: Self.emptyName) }
        return switch kind {
        case .unified: try application.importUnifiedCache(data)
        case .adal: try await application.importADALCache(data)
        }
    }

    static func isOfEmptyFile(_ failure: any Error) -> Bool { (failure as? Failure)?.name == emptyName }

    private func read() throws(Failure) -> (data: Data, version: FileVersion) {
        // Another user's tokens would sign in as that user.
        if let distrust = FileTrust.distrust(of: path) {
            throw Failure(
                .configuration, name: "unsafe", "\(path) is not imported: \(distrust.problem).",
                nextStep: "\(distrust.remedy).")
        }
        do throws(PlainFile.Failure) {
            let file = try OpenedFile(path)
            let version = try file.version
            let bytes = try file.content(atMost: Self.mostBytes)
            if bytes.count <= Self.mostBytes { return (Data(bytes), version) }
        } catch {
            throw unreadable(error.reason)
        }
        throw unreadable("too large for a token cache")
    }

    private func unfinished(_ writer: RunningProcess?) -> Failure {
        let cause = writer.map { "\($0) has not finished writing it" } ?? "an unknown program keeps changing it"
        return Failure(
            .store, name: "busy", "Can't read \(path): \(cause).",
            nextStep: "Try again when that program has finished or ended.")
    }

    private static let emptyName = "empty"

    private func unreadable(_ reason: String, name: String = "unreadable") -> Failure {
        Failure(
            .failed, name: name, "Can't read \(path): \(reason).",
            nextStep: "Use the file of a token cache, or 'keyturn import known'.")
    }
}

/// The token cache files of other programs. Those of programs that use a keyring are empty.
enum KnownCaches {
    static func present(in environment: [String: String]) -> [ForeignCache] {
        places(in: environment).flatMap { place in
            files(place).map { ForeignCache(program: place.program, kind: place.kind, path: $0) }
        }
    }

    struct Place: Sendable, Equatable {
        var program: String
        var kind: ForeignCache.Kind
        var folder: String
        var prefix: String
        var suffix: String

        init(
            _ program: String, _ kind: ForeignCache.Kind = .unified, in folder: String, _ prefix: String,
            _ suffix: String = ""
        ) {
            (self.program, self.kind, self.folder, self.prefix, self.suffix) = (program, kind, folder, prefix, suffix)
        }
    }

    static func places(in environment: [String: String]) -> [Place] {
        let home = environment["HOME"] ?? ""
        let azure = environment["AZURE_CONFIG_DIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(home)/.azure"
        return [
            Place("Azure CLI", in: azure, "msal_token_cache.json"),
            Place("Azure CLI (ADAL)", .adal, in: azure, "accessTokens.json"),
            Place("azure-identity for Python", in: "\(home)/.IdentityService", "msal.cache"),
            Place("Azure.Identity for .NET", in: "\(home)/.local/share/.IdentityService", "msal.cache"),
            Place("Git Credential Manager", in: "\(home)/.local/.IdentityService", "msal.cache"),
            Place("AzureAuth", in: "\(home)/.local/share/.IdentityService", "msal_", ".cache"),
            Place("AzureAuth", in: "\(home)/.azureauth", "msal_", "_cache.json"),
        ]
    }

    private static func files(_ place: Place) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.folder)) ?? []
        return names.filter { isMeant($0, by: place) }.sorted().map { "\(place.folder)/\($0)" }
    }

    /// Whether a file name matches. A name without a suffix also has the variants .cae and .nocae (continuous access evaluation).
    static func isMeant(_ name: String, by place: Place) -> Bool {
        guard place.suffix.isEmpty else { return name.hasPrefix(place.prefix) && name.hasSuffix(place.suffix) }
        return [place.prefix, place.prefix + ".cae", place.prefix + ".nocae"].contains(name)
    }
}

struct ImportedCache: Equatable {
    let cache: ForeignCache
    var report = MSALCacheTransferReport(accounts: [], unusedEntries: 0)
    /// The identifiers of the accounts that `keyturn accounts` lists after the import.
    var listed: Set<String> = []
    var failure: Failure?

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
