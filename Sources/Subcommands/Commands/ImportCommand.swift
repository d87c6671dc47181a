import JSON
import MSAL

package struct ImportCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "import", options: [OutputFormat.option], operand: "unified|adal|known", optionalOperand: "FILE")

    @Boxed private var settings: Settings
    private let source: Source
    private let format: OutputFormat

    private enum Source: Sendable {
        case file(ForeignCache.Kind, String)
        case known
    }

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        format = OutputFormat(options)
        let word = options.operands.first ?? ""
        let file = options.operands.dropFirst().first
        switch (ForeignCache.Kind(rawValue: word), file) {
        case (let kind?, let file?): source = .file(kind, file)
        case (_?, nil): throw .missingOperand("FILE", command: Self.specification.name)
        case (nil, nil) where word == "known": source = .known
        case (nil, let file?) where word == "known": throw .extraOperand(file, command: Self.specification.name)
        case (nil, _): throw .unknownOperand(word, wanted: "unified, adal or known", command: Self.specification.name)
        }
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let application = try settings.profile(in: surroundings.environment).application()
        switch source {
        case .file(let kind, let path):
            let cache = ForeignCache(program: kind.rawValue, kind: kind, path: path)
            let result = try await imported(cache, into: application)
            try write([result], surroundings)
            return result.exitCode
        case .known: return try await importKnown(into: application, surroundings)
        }
    }

    private func imported(
        _ cache: ForeignCache, into application: MSALPublicClientApplication
    ) async throws -> ImportedCache {
        let report = try await cache.bring(into: application)
        let listed = Set(try application.allAccounts().compactMap(\.identifier))
        return ImportedCache(cache: cache, report: report, listed: listed)
    }

    /// Imports all known caches, also after a failed one.
    private func importKnown(
        into application: MSALPublicClientApplication, _ surroundings: Surroundings
    ) async throws -> ExitCode {
        var results: [ImportedCache] = []
        for cache in KnownCaches.present(in: surroundings.environment) + keyringCaches(&results) {
            do { results.append(try await imported(cache, into: application)) } catch {
                // The file of a program that uses the keyring is empty.
                guard !ForeignCache.isOfEmptyFile(error) else { continue }
                results.append(ImportedCache(cache: cache, failure: Failure(reporting: error)))
            }
        }
        try write(results, surroundings)
        if results.isEmpty, !settings.isQuiet { surroundings.tell("No known caches found.\n") }
        return results.map(\.exitCode).first { $0 != .done } ?? .done
    }

    /// The caches in the keyring. If it is unavailable, adds the reason to `results`.
    private func keyringCaches(_ results: inout [ImportedCache]) -> [ForeignCache] {
        do {
            return try MSALPublicClientApplication.keyringCaches().map {
                ForeignCache(program: $0.program, kind: .unified, path: "keyring item \($0.name)", content: $0.content)
            }
        } catch {
            let keyring = ForeignCache(program: "Keyring", kind: .unified, path: "Secret Service")
            results.append(ImportedCache(cache: keyring, failure: Failure(reporting: error)))
            return []
        }
    }

    private func write(_ results: [ImportedCache], _ surroundings: Surroundings) throws {
        switch format {
        case .json: try surroundings.output.write(JSONValue.array(results.map(\.json)).document)
        case .table: try surroundings.output.write(results.map(\.text).joined())
        }
    }
}
