import Diagnosis
import Foundation
import Glibc
import POSIX

/// The file on disk: where it is, and reading it.
package struct ConfigurationFile: Sendable, Equatable {
    package var path: String
    /// Whether somebody named it: then it has to be there.
    package var isNamed: Bool

    /// `--config`, else `$KEYTURN_CONFIG`, else the place of the XDG base directory specification.
    package static func locate(named option: String?, in environment: [String: String]) -> ConfigurationFile {
        if let path = option ?? environment["KEYTURN_CONFIG"], !path.isEmpty {
            return ConfigurationFile(path: path, isNamed: true)
        }
        let path = BaseDirectory.configuration(in: environment) + "/keyturn/config.json"
        return ConfigurationFile(path: path, isNamed: false)
    }

    /// Whether there is no such file, whoever named it.
    var isMissing: Bool { access(path, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno) }

    /// Nobody's configuration is larger; a wrong path may lead to anything.
    private static let mostBytes = 1 << 20

    /// `nil` when there is none and nobody said there was.
    package func read() throws(ConfigurationError) -> Configuration? {
        guard let text = try text() else { return nil }
        return try ConfigurationReader.read(text, file: path)
    }

    /// What stands in it, as ``read()`` takes it.
    func text() throws(ConfigurationError) -> String? {
        let bytes: [UInt8]
        do throws(PlainFile.Failure) {
            bytes = try PlainFile.read(path, atMost: Self.mostBytes)
        } catch {
            if error.isMissing, !isNamed { return nil }
            throw unreadable(because: error)
        }
        try checkTrust()
        if bytes.count > Self.mostBytes { throw unreadable("it is larger than 1 MiB") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw unreadable("it is not UTF-8 text") }
        return text
    }

    /// Paths in the file are meant from where the file is.
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
        return profile
    }

    /// The file names a command (the browser) and an authority to trust, so no other user may be able to change it.
    private func checkTrust() throws(ConfigurationError) {
        guard let distrust = FileTrust.distrust(of: path) else { return }
        let isOthers = distrust.cause == .otherOwner && !distrust.isWayThere
        throw error(
            .unsafe, distrust.problem,
            isOthers ? "Make a copy of your own, and name it with --config FILE" : distrust.remedy)
    }

    private func unreadable(because failure: PlainFile.Failure) -> ConfigurationError {
        guard failure == .system(EACCES) else { return unreadable(failure.reason) }
        return error(
            .unreadable, "cannot be read: \(failure.reason)",
            "Let yourself read it (chmod u+r), or name another with --config FILE")
    }

    private func unreadable(_ reason: String) -> ConfigurationError {
        error(.unreadable, "cannot be read: \(reason)", "Name another with --config FILE")
    }

    var missingError: ConfigurationError {
        let remedy = "Write one, or give --client-id and --authority. 'keyturn demo' needs neither"
        return error(.missing, "there is no configuration", remedy)
    }

    func hasNo(profile name: String?, known: [String]) -> ConfigurationError {
        let names = known.joined(separator: ", ")
        guard let name else {
            return error(.mistaken, "several profiles, and no defaultProfile", "Choose with --profile: \(names)")
        }
        return error(.mistaken, "there is no profile \"\(name)\"", "The profiles are: \(names)")
    }

    private func error(_ kind: ConfigurationError.Kind, _ problem: String, _ remedy: String) -> ConfigurationError {
        let mistake = ConfigurationMistake(line: nil, key: "", problem: problem, remedy: remedy)
        return ConfigurationError(kind: kind, file: path, mistakes: [mistake])
    }
}

/// Changing the file. It is replaced as a whole, so that whoever reads it meanwhile sees the old one or the new one.
extension ConfigurationFile {
    /// Changes a file that is right, or makes one. A file with a mistake in it is left alone: what is wrong with it is
    /// thrown.
    package func change(_ edit: ConfigurationEdit) throws {
        let old = try text()
        if let old { _ = try ConfigurationReader.read(old, file: path) }
        let new = try edit.applied(to: old)
        // What would not be read back is not written.
        _ = try ConfigurationReader.read(new, file: path)
        try replace(by: new, ifStill: old)
    }

    private func replace(by new: String, ifStill old: String?) throws {
        // A link to a file kept elsewhere goes on leading there.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard try text() == old else {
            throw CommandFailure(
                .configuration, name: "configurationChanged", "\(path) was changed by somebody else just now.",
                nextStep: "Look at it, then try again.")
        }
        try ExportedFile(path: target, replaces: old != nil).writeMakingFolder(Data(new.utf8))
    }
}
