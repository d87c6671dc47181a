import Console
import Foundation
import MSAL
import OAuthCore
import Subcommands

extension FuzzTarget {
    /// A valid configuration is valid JSON for other programs too, and a change affects only its member; errors about
    /// invalid ones are printable.
    static let configuration = FuzzTarget("configuration") { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { return .rejected }
        let configuration: Configuration
        do throws(ConfigurationError) {
            configuration = try ConfigurationReader.read(text, file: "config.json")
        } catch {
            try require(!error.mistakes.isEmpty, "a configuration was rejected without a reason")
            for line in Failure(reporting: error).reason.split(separator: "\n") {
                try requirePlain(String(line), "the mistake")
            }
            return .rejected
        }
        let json = try unwrap(try? JSONValue(parsing: text), "what was read is not JSON")
        let names = configuration.profiles.map(\.name)
        try requireEqual(Set(names), Set(json["profiles"]?.object?.keys ?? [:].keys), "the profiles")
        for profile in configuration.profiles {
            try require(!profile.clientID.isEmpty, "a profile without a client")
            try require(profile.authority.host()?.isEmpty == false, "an authority without a host")
        }
        if let name = names.last { try check(changing: configuration, text: text, name: name) }
        return .accepted
    }

    private static func check(changing configuration: Configuration, text: String, name: String) throws {
        let changed = try unwrap(try? ConfigurationEdit.makeDefault(name).applied(to: text), "a change is rejected")
        var wanted = configuration
        wanted.defaultProfile = name
        let found = try unwrap(
            try? ConfigurationReader.read(changed, file: "config.json"), "what was written cannot be read")
        try requireEqual(found.withoutLines, wanted.withoutLines, "the configuration with another default")
        try requireEqual(
            try? ConfigurationEdit.makeDefault(name).applied(to: changed), changed, "the change made twice")
        let rest = try unwrap(try? ConfigurationEdit.remove(name).applied(to: text), "a removal is rejected")
        let left = try unwrap(try? JSONValue(parsing: rest), "what was written is not JSON")
        try require(left["profiles"]?[name] == nil, "a removed profile is there")
    }
}

extension Configuration {
    /// Positions in the file are not part of its content.
    fileprivate var withoutLines: Configuration {
        var copy = self
        for index in copy.profiles.indices { copy.profiles[index].infoPlist?.line = nil }
        return copy
    }
}
