import Foundation

package struct RedirectURIRejection: Error, Sendable, Equatable {
    package enum Reason: String, Sendable, CaseIterable {
        case blank
        /// A redirect URI must not have a fragment (RFC 6749 §3.1.2).
        case hasFragment
        case badPort
        case schemeNotRegistered
        /// The default URI has a build setting in the place of the bundle identifier.
        case buildSetting
        case httpScheme
        /// `msauth…://auth` with another application's bundle identifier.
        case bundleIdentifierMismatch
        /// `msauth…://` without the host `auth`.
        case authHostMissing
        case schemeMissing
        /// `urn:ietf:wg:oauth:2.0:oob`
        case outOfBand
        case hostMissing
        case unknownFormat
    }

    package let reason: Reason
    /// The given URI, or the default one.
    package let uri: String
    package let scheme: String
    package let bundleIdentifier: String
    package let hasInfoPlist: Bool
    package let nearMiss: NearMiss?
    /// Whether to suggest http://localhost, which MSAL for iOS and macOS rejects.
    package var offersLoopback = true

    package struct NearMiss: Sendable, Equatable {
        package var difference: RedirectURIMiss
        package var uri: String
        package var isRegistered: Bool

        package init(difference: RedirectURIMiss, uri: String, isRegistered: Bool) {
            (self.difference, self.uri, self.isRegistered) = (difference, uri, isRegistered)
        }
    }

    package init(
        reason: Reason, uri: String, scheme: String, bundleIdentifier: String, hasInfoPlist: Bool = true,
        nearMiss: NearMiss? = nil
    ) {
        self.reason = reason
        self.uri = uri
        self.scheme = scheme
        self.bundleIdentifier = bundleIdentifier
        self.hasInfoPlist = hasInfoPlist
        self.nearMiss = nearMiss
    }

    package var expectedURI: String { RedirectURIRules.proposal(bundleIdentifier) }

    /// The equivalent code of `MSALInternalError`.
    package var internalErrorCode: Int {
        switch reason {
        case .hasFragment: -42008
        case .schemeNotRegistered, .schemeMissing, .buildSetting: -42001
        case .blank, .badPort, .httpScheme, .bundleIdentifierMismatch, .authHostMissing, .outOfBand, .hostMissing,
            .unknownFormat:
            -42011
        }
    }

    /// Whether the URI would send the response unencrypted to another machine.
    package var isUnencrypted: Bool { scheme.lowercased() == "http" && ![.hasFragment, .badPort].contains(reason) }

    package var explanation: String {
        let given = "The redirect URI \"\(uri)\""
        if let nearMiss {
            return nearMiss.difference == .letterCase
                ? "\(given) differs from \"\(nearMiss.uri)\" only in letter case, which must match."
                : "\(given) has \(nearMiss.difference.words). This application's is \"\(nearMiss.uri)\"."
        }
        if isUnencrypted {
            return
                "\(given): the host is not this computer, so the response would travel unencrypted to another machine."
        }
        return switch reason {
        case .blank: "The redirect URI is empty."
        case .hasFragment: "\(given) has a fragment (\"#\"), which is not allowed."
        case .badPort: "\(given) has the port \"\(uri.impossiblePort ?? "")\", which is not a number from 1 to 65535."
        case .schemeNotRegistered:
            "This application doesn't use the scheme \"\(scheme)\", so a response to \"\(uri)\" can't reach it."
        case .buildSetting:
            "The Info.plist has the build setting \"\(bundleIdentifier)\" instead of a bundle identifier. Only Xcode "
                + "replaces it, in the built application."
        case .httpScheme: "\(given) has the scheme \"\(scheme)\", which isn't supported for this kind of authority."
        case .bundleIdentifierMismatch:
            "\(given) belongs to another application. This one's bundle identifier is \"\(bundleIdentifier)\"."
        case .authHostMissing: "\(given) lacks its host, which must be \"auth\"."
        case .schemeMissing: "\(given) has no scheme."
        case .outOfBand: "\(given) is the out-of-band URI, which authorities no longer support."
        case .hostMissing: "\(given) has no host."
        case .unknownFormat: "\(given) has a form that isn't supported for this kind of authority."
        }
    }

    /// The next step. Every URI in it is valid.
    package var nextStep: String {
        if let nearMiss, nearMiss.isRegistered { return "Write \"\(nearMiss.uri)\"." }
        if isUnencrypted, offersLoopback { return "Use http://localhost." }
        if reason == .buildSetting {
            return
                "Write the identifier itself, as CFBundleIdentifier and under \(Self.place), or use "
                + "\"\(RedirectURIRules.loopbackURI)\"."
        }
        if reason == .badPort { return "Correct the port, or omit it to use any free port." }
        guard !bundleIdentifier.isEmpty else { return stepWithoutBundle }
        guard hasInfoPlist else {
            return "Use http://localhost or \"\(expectedURI)\", and register the same URI with the authority."
        }
        let expectedScheme = RedirectURIRules.defaultScheme(bundleIdentifier)
        if reason == .schemeNotRegistered, !scheme.isEmpty, scheme != expectedScheme, nearMiss == nil, !isUnencrypted {
            return
                "Add \"\(scheme)\" to Info.plist under \(Self.place), or use \"\(expectedURI)\" with "
                + "the scheme \"\(expectedScheme)\" there; register the same URI with the authority."
        }
        let use = uri == expectedURI ? "Keep this URI" : "Use \"\(expectedURI)\""
        return
            "\(use), add its scheme \"\(expectedScheme)\" to Info.plist under "
            + "\(Self.place), and register the same URI with the authority."
            + (offersLoopback ? " http://localhost works as well." : "")
    }

    /// The next step for a program without a bundle identifier, which can't have its own scheme.
    private var stepWithoutBundle: String {
        let use = "Use \"\(expectedURI)\" and register it with the authority"
        guard reason == .schemeNotRegistered, !scheme.isEmpty else { return "\(use)." }
        return
            "\(use), or put an Info.plist beside the program, with a CFBundleIdentifier and with "
            + "\"\(scheme)\" under \(Self.place)."
    }

    /// The place in an `Info.plist` where schemes are registered.
    package static let place = "CFBundleURLTypes \u{203A} CFBundleURLSchemes"
}

/// Where a redirect URI misses the application's own, `msauth.<bundle identifier>://auth`, if nothing else differs.
package enum RedirectURIMiss: Sendable, Equatable {
    case letterCase
    case slash
    case path(String)
    case query
    case port
    case host(String)
    /// A text of instructions instead of the bundle identifier, such as `[BUNDLE_ID]`.
    case placeholder(String)

    /// `nil` if the URI is the application's own, or differs more.
    package init?(of text: String, from own: String) {
        guard text != own else { return nil }
        if text.lowercased() == own.lowercased() {
            self = .letterCase
        } else if let placeholder = Placeholder(inScheme: text) {
            self = .placeholder(placeholder.text)
        } else {
            self.init(behindSchemeOf: text, own)
        }
    }

    private init?(behindSchemeOf text: String, _ own: String) {
        let (parts, expected) = (RedirectURIParts(text), RedirectURIParts(own))
        guard parts.scheme.lowercased() == expected.scheme.lowercased(), !parts.host.isEmpty else { return nil }
        guard parts.host.lowercased() == expected.host else {
            self = .host(parts.host)
            return
        }
        let rest = text.dropFirst(own.count)
        switch rest.first {
        case "/": self = rest == "/" ? .slash : .path(String(rest.prefix { !"?#".contains($0) }))
        case "?": self = .query
        case ":": self = .port
        case nil, .some: return nil
        }
    }

    package var words: String {
        switch self {
        case .letterCase: "another letter case"
        case .slash: "a \"/\" at its end"
        case .path(let path): "the path \"\(path)\""
        case .query: "a query"
        case .port: "a port"
        case .host(let host): "the host \"\(host)\" instead of \"auth\""
        case .placeholder(let text): "\"\(text)\" in the place of the bundle identifier"
        }
    }
}

struct Placeholder {
    let text: String

    /// Reads the placeholder in `msauth.<placeholder>` or a URI with this scheme.
    init?(inScheme text: String) {
        let prefix = "msauth."
        guard text.lowercased().hasPrefix(prefix) else { return nil }
        let rest = text.dropFirst(prefix.count)
        let word = String(rest.range(of: "://").map { rest[..<$0.lowerBound] } ?? rest)
        let letters = word.lowercased().filter(\.isLetter)
        guard word.contains(where: { "[<{$".contains($0) }) || Self.words.contains(letters) else { return nil }
        self.text = word
    }

    private static let words: Set<String> = [
        "bundleid", "bundleidentifier", "yourbundleid", "yourbundleidentifier", "yourbundleidhere",
        "enteryourbundleidhere", "yourappbundleid",
    ]
}
