import Diagnosis
import Foundation
import KeyturnSystem
import MSAL

package struct ConfigurationFile: Sendable, Equatable {
    package var path: String
    /// Whether the user gave the path, so that it must exist.
    package var isNamed: Bool
    private(set) var isOfVariable = false

    /// The file of --config, else of $KEYTURN_CONFIG, else in the XDG configuration folder.
    package static func locate(named option: String?, in environment: [String: String]) -> ConfigurationFile {
        if let path = option ?? environment["KEYTURN_CONFIG"], !path.isEmpty {
            return ConfigurationFile(path: path, isNamed: true, isOfVariable: option == nil)
        }
        let path = BaseDirectory.configuration(in: environment) + "/keyturn/config.json"
        return ConfigurationFile(path: path, isNamed: false)
    }

    var isMissing: Bool { access(path, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno) }

    /// Larger files aren't a configuration.
    static let mostBytes = 1 << 20

    /// The configuration; `nil` if the default file doesn't exist.
    package func read() throws(ConfigurationError) -> Configuration? {
        guard let text = try text() else { return nil }
        let configuration = try ConfigurationReader.read(text, file: path)
        for source in configuration.profiles.flatMap(\.secretSources) {
            if case .environment(let name) = source { ProcessEnvironment.withhold(name) }
        }
        return configuration
    }

    /// The file's text; `nil` as in ``read()``.
    func text() throws(ConfigurationError) -> String? {
        let bytes: [UInt8]
        do { bytes = try PlainFile.read(path, atMost: Self.mostBytes) } catch {
            if error.isMissing, !isNamed { return nil }
            throw unreadable(because: error)
        }
        // It determines the browser's command and the authority.
        if let distrust = FileTrust.distrust(of: path) { throw error(.unsafe, distrust.problem, distrust.remedy) }
        if bytes.count > Self.mostBytes { throw unreadable("it is larger than 1 MiB") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw unreadable("it is not UTF-8 text") }
        return text
    }

    func resolvingPaths(of profile: Profile) -> Profile {
        var profile = profile
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        profile.infoPlist?.resolve(in: folder, configuration: path)
        let files = [
            \Profile.cacheFile, \.cachePassphraseFile, \.cachePreviousPassphraseFile, \.certificateAuthorityFile,
        ]
        for file in files {
            profile[keyPath: file] = profile[keyPath: file].map { URL(fileURLWithPath: $0, relativeTo: folder).path }
        }
        func resolve(_ secret: inout ClientSecretSource?) {
            if case .file(let path) = secret { secret = .file(URL(fileURLWithPath: path, relativeTo: folder).path) }
        }
        resolve(&profile.clientSecret)
        for index in profile.managedServers.indices { resolve(&profile.managedServers.values[index].clientSecret) }
        return profile
    }

    private func unreadable(because failure: PlainFile.Failure) -> ConfigurationError {
        guard failure == .system(EACCES) else { return unreadable(failure.reason) }
        var status = stat()
        let isOwn = stat(path, &status) == 0 && status.st_uid == geteuid()
        return error(
            .unreadable, failure.reason,
            "\(isOwn ? "Allow reading it (chmod u+r)" : "Ask its owner"), or use another with --config FILE\(variable)")
    }

    private func unreadable(_ reason: String) -> ConfigurationError {
        error(.unreadable, reason, "Use another with --config FILE\(variable)")
    }

    private var variable: String { isOfVariable ? ", or correct $KEYTURN_CONFIG" : "" }

    var missingError: ConfigurationError {
        let remedy = "Run 'keyturn' to set it up, or use --client-id and --authority. 'keyturn demo' needs neither"
        return error(.missing, "no such file", remedy)
    }

    func hasNo(profile name: String?, known: [String]) -> ConfigurationError {
        let names = known.joined(separator: ", ")
        guard let name else {
            return error(.noProfile, "several profiles, but no defaultProfile", "Choose one with --profile: \(names)")
        }
        return error(.noProfile, "no profile \"\(name)\"", "Use one of: \(names)")
    }

    private func error(_ kind: ConfigurationError.Kind, _ problem: String, _ remedy: String) -> ConfigurationError {
        let mistake = ConfigurationMistake(line: nil, key: "", problem: problem, remedy: remedy)
        return ConfigurationError(kind: kind, file: path, mistakes: [mistake])
    }

    /// Changes or creates the file. Throws without a change if the file is invalid.
    package func change(_ edit: ConfigurationEdit) throws {
        let old = try text()
        if let old { try check(edit, keepsProfilesOf: ConfigurationReader.read(old, file: path)) }
        let new = try edit.applied(to: old)
        // Never writes an invalid file.
        _ = try ConfigurationReader.read(new, file: path)
        try replace(by: new, ifStill: old)
    }

    /// A profile that another process has saved since isn't replaced.
    private func check(_ edit: ConfigurationEdit, keepsProfilesOf configuration: Configuration) throws {
        guard case .save(let draft, let replaced) = edit, draft.name != replaced,
            configuration.profiles.contains(where: { $0.name == draft.name })
        else { return }
        throw Failure(
            .configuration, name: "profileExists", "A profile \(draft.name) exists already.",
            nextStep: "Choose another name.")
    }

    private func replace(by new: String, ifStill old: String?) throws {
        // Keeps a symbolic link.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard try text() == old else {
            throw Failure(
                .configuration, name: "configurationChanged", "\(path) has since changed.",
                nextStep: "Review the file, then try again.")
        }
        try ExportedFile(path: target, replaces: old != nil).writeMakingFolder(Data(new.utf8))
    }
}
