import Foundation

/// The token cache files of other programs. Those of programs that use a keyring are empty.
enum KnownCaches {
    /// The existing caches, in the order of the table.
    static func present(in environment: [String: String]) -> [ForeignCache] {
        places(in: environment).flatMap { place in
            files(place).map { ForeignCache(program: place.program, kind: place.kind, path: $0) }
        }
    }

    /// A file, or the files with a prefix and suffix.
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
