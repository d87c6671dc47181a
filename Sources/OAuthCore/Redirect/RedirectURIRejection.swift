/// The reason why a redirect URI is rejected, with the data for an error message.
package struct RedirectURIRejection: Error, Sendable, Equatable {
    package enum Reason: String, Sendable, CaseIterable {
        case blank
        /// A redirect URI must not have a fragment (RFC 6749 §3.1.2).
        case hasFragment
        /// The port exceeds 65535 or isn't a number.
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
    /// Whether the developer can edit an `Info.plist`.
    package let hasInfoPlist: Bool
    /// A small difference to a valid URI.
    package let nearMiss: NearMiss?
    /// Whether to suggest http://localhost, which MSAL for iOS and macOS rejects.
    package var offersLoopback = true

    package struct NearMiss: Sendable, Equatable {
        package var difference: RedirectURIMiss
        /// The valid URI.
        package var uri: String
        /// Whether the scheme of that URI is registered.
        package var isRegistered: Bool

        package init(difference: RedirectURIMiss, uri: String, isRegistered: Bool) {
            self.difference = difference
            self.uri = uri
            self.isRegistered = isRegistered
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

    /// The URI to use instead.
    package var expectedURI: String { RedirectURIRules.proposal(bundleIdentifier) }

    /// The equivalent code of `MSALInternalError`.
    package var internalErrorCode: Int {
        switch reason {
        case .hasFragment: -42008
        // A missing scheme counts as unregistered.
        case .schemeNotRegistered, .schemeMissing, .buildSetting: -42001
        case .blank, .badPort, .httpScheme, .bundleIdentifierMismatch, .authHostMissing, .outOfBand, .hostMissing,
            .unknownFormat:
            -42011
        }
    }

    /// Whether the URI would send the response unencrypted to another machine.
    package var isUnencrypted: Bool { scheme.lowercased() == "http" && ![.hasFragment, .badPort].contains(reason) }

    /// The problem and its cause.
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
        switch reason {
        case .blank: return "The redirect URI is empty."
        case .hasFragment: return "\(given) has a fragment (\"#\"), which is not allowed."
        case .badPort:
            let port = uri.impossiblePort ?? ""
            return "\(given) has the port \"\(port)\", which is not a number from 1 to 65535."
        case .schemeNotRegistered:
            return
                "This application doesn't use the scheme \"\(scheme)\", so a response to \"\(uri)\" can't reach it."
        case .buildSetting:
            return
                "The Info.plist has the build setting \"\(bundleIdentifier)\" instead of a bundle identifier. Only Xcode "
                + "replaces it, in the built application."
        case .httpScheme:
            return "\(given) has the scheme \"\(scheme)\", which isn't supported for this kind of authority."
        case .bundleIdentifierMismatch:
            return
                "\(given) belongs to another application. This one's bundle identifier is \"\(bundleIdentifier)\"."
        case .authHostMissing: return "\(given) lacks its host, which must be \"auth\"."
        case .schemeMissing: return "\(given) has no scheme."
        case .outOfBand: return "\(given) is the out-of-band URI, which authorities no longer support."
        case .hostMissing: return "\(given) has no host."
        case .unknownFormat: return "\(given) has a form that isn't supported for this kind of authority."
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
            return
                "Use http://localhost or \"\(expectedURI)\", and register the same URI with the authority."
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
