import Console
import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// The global options and the profile they select.
package struct Settings: Sendable, Equatable {
    package var config: String?
    package var profileName: String?
    package var clientID: String?
    package var clientSecretFile: String?
    package var authority: URL?
    package var redirectURI: String?
    package var listener: MSALLoopbackListener?
    package var cacheFile: String?
    package var certificateAuthorityFile: String?
    /// The seconds after which to end the command; nil for no limit.
    package var timeLimit: UInt32?
    package var isQuiet = false
    package var isPlain = false
    package var usesASCII = false
    package var usesNoColor = false
    package var usesNoMotion = false
    /// Nil for that of the last run.
    package var theme: ScreenTheme?
    package var usesMouse = false

    package init(_ options: ParsedOptions) throws(UsageError) {
        config = options[.config]
        profileName = options[.profile]
        clientID = options[.clientID]
        clientSecretFile = options[.clientSecretFile]
        redirectURI = options[.redirectURI]
        cacheFile = options[.cache]
        certificateAuthorityFile = options[.certificates]
        timeLimit = try Self.seconds(options)
        isQuiet = options.has(.quiet)
        isPlain = options.has(.plain)
        usesASCII = options.has(.ascii)
        usesNoColor = options.has(.noColor)
        usesNoMotion = options.has(.noMotion)
        theme = options[.theme].flatMap(ScreenTheme.init)
        usesMouse = options.has(.mouse)
        if let text = options[.listen] {
            listener = MSALLoopbackListener(text)
            guard listener != nil else {
                throw .badArgument(
                    .listen, argument: text,
                    wanted: "[ADDRESS:]PORT or [ADDRESS:]FIRST-LAST, with ports from 1 to 65535")
            }
        }
        guard let text = options[.authority] else { return }
        do {
            // Completes the URL as the set-up does.
            authority = try AuthorityURL.read(TypedAuthority(text).address(at: nil))
        } catch {
            let use = "Use "
            throw .badArgument(
                .authority, argument: text,
                wanted: error.remedy.hasPrefix(use) ? String(error.remedy.dropFirst(use.count)) : "an https URL")
        }
    }

    private static func seconds(_ options: ParsedOptions) throws(UsageError) -> UInt32? {
        guard let text = options[.timeout] else { return nil }
        guard let seconds = UInt32(text), (1...86_400).contains(seconds) else {
            throw .badArgument(.timeout, argument: text, wanted: "a number of seconds from 1 to 86400")
        }
        return seconds
    }

    package func usesLines(in environment: [String: String]) -> Bool {
        isPlain || environment["ACCESSIBLE"].flatMap(nonEmpty) != nil
    }

    func namesProfile(in environment: [String: String]) -> Bool {
        profileName(in: environment) != nil || clientID != nil
    }

    func profileName(in environment: [String: String]) -> String? {
        profileName ?? environment["KEYTURN_PROFILE"].flatMap(nonEmpty)
    }

    func hasProfile(in environment: [String: String]) -> Bool {
        namesProfile(in: environment) || authority != nil
            || !ConfigurationFile.locate(named: config, in: environment).isMissing
    }

    /// The profile of the configuration with the changes of the command line.
    /// - Parameter resource: a resource that itself names its authority, so that no profile is required.
    package func profile(
        in environment: [String: String], forResource resource: URL? = nil
    ) throws(ConfigurationError) -> Profile {
        let file = ConfigurationFile.locate(named: config, in: environment)
        let name = profileName(in: environment)
        var profile: Profile
        if let resource, name == nil, try file.read()?.profile(named: nil) == nil, fromOptionsAlone == nil {
            profile = Profile(
                name: "command line", clientID: clientID ?? "", authority: Self.placeholder(for: resource))
            profile.authorityType = .oidc
        } else {
            profile = try selected(from: file, named: name)
        }
        if let clientID, clientID != profile.clientID {
            // Another client's secret.
            profile.clientSecret = nil
            profile.clientID = clientID
        }
        if let authority {
            if authority != profile.authority { profile.clientSecret = nil }
            // Another tenant of the same host has the same type.
            if authority.host != profile.authority.host || authority.port != profile.authority.port {
                profile.authorityType = nil
            }
            profile.authority = authority
        }
        if let clientSecretFile { profile.clientSecret = .file(clientSecretFile) }
        if let redirectURI { profile.redirectURI = redirectURI }
        if let listener { profile.listener = listener }
        profile = withFiles(profile)
        profile.attemptFile = AttemptFile(in: environment).path
        return profile
    }

    func certificateAuthorityFile(in environment: [String: String]) -> String? {
        (try? profile(in: environment))?.certificateAuthorityFile ?? certificateAuthorityFile
    }

    /// A valid authority for a profile without one, which nothing uses: the resource's host.
    private static func placeholder(for resource: URL) -> URL {
        var place = URLComponents(url: resource, resolvingAgainstBaseURL: true) ?? URLComponents()
        (place.scheme, place.port, place.path, place.query) = ("https", nil, "", nil)
        return place.url ?? resource
    }

    /// The profiles of the configuration, or none if it is unreadable.
    func profiles(in environment: [String: String]) -> [Profile] { (try? configuredProfiles(in: environment)) ?? [] }

    func configuredProfiles(in environment: [String: String]) throws(ConfigurationError) -> [Profile] {
        let file = ConfigurationFile.locate(named: config, in: environment)
        return (try file.read()?.profiles ?? []).map { withFiles(file.resolvingPaths(of: $0)) }
    }

    private func withFiles(_ profile: Profile) -> Profile {
        var profile = profile
        if let cacheFile { profile.cacheFile = cacheFile }
        if let certificateAuthorityFile { profile.certificateAuthorityFile = certificateAuthorityFile }
        return profile
    }

    private func selected(from file: ConfigurationFile, named name: String?) throws(ConfigurationError) -> Profile {
        let configuration = try file.read()
        if let profile = configuration?.profile(named: name) { return file.resolvingPaths(of: profile) }
        if let profile = fromOptionsAlone, name == nil { return profile }
        guard let configuration else { throw file.missingError }
        throw file.hasNo(profile: name, known: configuration.profiles.map(\.name))
    }

    private var fromOptionsAlone: Profile? {
        guard let clientID, let authority else { return nil }
        return Profile(name: "command line", clientID: clientID, authority: authority)
    }

    private func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}

/// Commands and what they consist of have their settings in boxes, too.
typealias Boxed = Console.Boxed
