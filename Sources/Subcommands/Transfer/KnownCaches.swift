import Foundation

/// Where the programs of others keep their token caches in files. Those that keep them in a keyring leave an empty file in
/// the place, which is passed over.
enum KnownCaches {
    /// The caches that are there, in the order of the table.
    static func present(in environment: [String: String]) -> [ForeignCache] {
        places(in: environment).flatMap { place in
            files(place).map { ForeignCache(program: place.program, kind: place.kind, path: $0) }
        }
    }

    /// A file, or several whose names begin and end alike.
    struct Place: Sendable, Equatable {
        var program: String
        var kind: ForeignCache.Kind
        var folder: String
        var prefix: String
        var suffix: String
    }

    static func places(in environment: [String: String]) -> [Place] {
        let home = environment["HOME"] ?? ""
        let azure = environment["AZURE_CONFIG_DIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(home)/.azure"
        return [
            Place(program: "Azure CLI", kind: .unified, folder: azure, prefix: "msal_token_cache.json", suffix: ""),
            Place(program: "Azure CLI (ADAL)", kind: .adal, folder: azure, prefix: "accessTokens.json", suffix: ""),
            Place(
                program: "azure-identity for Python", kind: .unified, folder: "\(home)/.IdentityService",
                prefix: "msal.cache", suffix: ""),
            Place(
                program: "Azure.Identity for .NET", kind: .unified, folder: "\(home)/.local/share/.IdentityService",
                prefix: "msal.cache", suffix: ""),
            Place(
                program: "Git Credential Manager", kind: .unified, folder: "\(home)/.local/.IdentityService",
                prefix: "msal.cache", suffix: ""),
            Place(
                program: "AzureAuth", kind: .unified, folder: "\(home)/.local/share/.IdentityService", prefix: "msal_",
                suffix: ".cache"),
            Place(
                program: "AzureAuth", kind: .unified, folder: "\(home)/.azureauth", prefix: "msal_",
                suffix: "_cache.json"),
        ]
    }

    private static func files(_ place: Place) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.folder)) ?? []
        return names.filter { isMeant($0, by: place) }.sorted().map { "\(place.folder)/\($0)" }.filter { path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return (attributes?[.size] as? Int ?? 0) > 0
        }
    }

    /// A name without a suffix stands for itself and its two variants: with and without continuous access evaluation.
    static func isMeant(_ name: String, by place: Place) -> Bool {
        guard place.suffix.isEmpty else { return name.hasPrefix(place.prefix) && name.hasSuffix(place.suffix) }
        return [place.prefix, place.prefix + ".cae", place.prefix + ".nocae"].contains(name)
    }
}
