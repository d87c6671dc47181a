import Foundation

/// Which redirect URIs an application may use: upstream's rules for iOS, and http on this computer besides.
///
/// A custom URI needs a registered scheme (https and loopback need none). For an Entra authority that a broker may serve
/// it must also be one that a broker answers to, or loopback.
package struct RedirectURIRules: Sendable, Equatable {
    package var clientID: String
    package var registration: AppRegistration
    /// The developer vouches for the URI (`bypassRedirectURIValidation`); no broker is then used.
    package var isBypassed: Bool

    package init(clientID: String, registration: AppRegistration, isBypassed: Bool = false) {
        self.clientID = clientID
        self.registration = registration
        self.isBypassed = isBypassed
    }

    package enum Judgement: Sendable, Equatable {
        case accepted(RedirectURI)
        case rejected(RedirectURIRejection)
    }

    /// `custom`: the URI that the application gives; the default one when it is `nil` or blank.
    package func judge(_ custom: String?, for authority: Authority) -> Judgement {
        let verified = verify(custom)
        guard case .accepted(let redirect) = verified, !isBypassed, !redirect.isBrokerCapable,
            redirect.way != .loopback,
            Self.needsBrokerCapability(authority)
        else { return verified }
        let text = redirect.url.absoluteString
        return .rejected(rejection(brokerObstacle(text) ?? .unknownFormat, text))
    }

    /// The rules that hold for every authority.
    package func verify(_ custom: String?) -> Judgement {
        guard let text = custom?.trimmed, !text.isEmpty else { return defaultRedirect() }
        let parts = RedirectURIParts(text)
        if parts.hasFragment { return .rejected(rejection(.hasFragment, text)) }
        if parts.badPort != nil { return .rejected(rejection(.badPort, text)) }
        guard let url = URL(string: text, encodingInvalidCharacters: false) else {
            return .rejected(rejection(parts.scheme.isEmpty ? .schemeMissing : .unknownFormat, text))
        }
        let isLink = parts.scheme.lowercased() == "https"
        if isBypassed {
            let way: RedirectURI.Way = parts.isLoopback ? .loopback : isLink ? .httpsLink : .customScheme
            return .accepted(RedirectURI(url: url, way: way, isBrokerCapable: false))
        }
        if parts.isLoopback { return .accepted(RedirectURI(url: url, way: .loopback, isBrokerCapable: false)) }
        guard isLink || registration.urlSchemes.contains(parts.scheme) else {
            return .rejected(rejection(parts.scheme.isEmpty ? .schemeMissing : .schemeNotRegistered, text))
        }
        return .accepted(
            RedirectURI(
                url: url, way: isLink ? .httpsLink : .customScheme, isBrokerCapable: brokerObstacle(text) == nil))
    }

    /// What keeps a broker from answering to a URI; `nil` when nothing does. The order of the questions matters.
    package func brokerObstacle(_ text: String) -> RedirectURIRejection.Reason? {
        let parts = RedirectURIParts(text)
        if text.trimmed.isEmpty { return .blank }
        if text == Self.defaultURI(registration.bundleIdentifier) { return nil }
        if parts.host == registration.bundleIdentifier, !parts.scheme.isEmpty { return nil }
        if ["http", "https"].contains(parts.scheme.lowercased()) { return .httpScheme }
        if text.hasPrefix("msauth") { return parts.host == "auth" ? .bundleIdentifierMismatch : .authHostMissing }
        if parts.scheme.isEmpty { return .schemeMissing }
        if text == "urn:ietf:wg:oauth:2.0:oob" { return .outOfBand }
        return parts.host.isEmpty ? .hostMissing : .unknownFormat
    }

    /// The schemes that an iOS application lists in `LSApplicationQueriesSchemes` to look for Apple's broker.
    private static let brokerQuerySchemes = ["msauthv2", "msauthv3"]

    /// Those of them that the application does not list.
    package var missingBrokerQuerySchemes: [String] {
        Self.brokerQuerySchemes.filter { !registration.querySchemes.contains($0) }
    }

    /// Whether the application lists one of them: then it asks for Apple's broker.
    package var asksForAppleBroker: Bool { missingBrokerQuerySchemes != Self.brokerQuerySchemes }

    /// The default of a program without a bundle identifier.
    package static let loopbackURI = "http://localhost"

    /// The URI to propose in place of one that is refused: it is accepted, once its scheme is registered if it has one of
    /// its own.
    package static func proposal(_ bundleIdentifier: String) -> String {
        bundleIdentifier.isEmpty ? loopbackURI : defaultURI(bundleIdentifier)
    }

    package static func defaultScheme(_ bundleIdentifier: String) -> String { "msauth.\(bundleIdentifier)" }

    package static func defaultURI(_ bundleIdentifier: String) -> String { "\(defaultScheme(bundleIdentifier))://auth" }

    /// The default of MSAL's first versions. `nil` without a client ID.
    package static func legacyDefaultURI(clientID: String) -> String? {
        clientID.trimmed.isEmpty ? nil : "msal\(clientID)://auth"
    }

    /// Brokers serve work and school accounts: Entra authorities except the one for personal accounts.
    private static func needsBrokerCapability(_ authority: Authority) -> Bool {
        guard let tenant = authority.tenant else { return false }
        return tenant != .consumers
    }

    private func defaultRedirect() -> Judgement {
        guard !registration.bundleIdentifier.isEmpty else { return verify(Self.loopbackURI) }
        let text = Self.defaultURI(registration.bundleIdentifier)
        let legacy = Self.legacyDefaultURI(clientID: clientID)
        let isRegistered = registration.urlSchemes.contains(Self.defaultScheme(registration.bundleIdentifier))
        if isRegistered || isBypassed, let url = URL(string: text) {
            return .accepted(RedirectURI(url: url, way: .customScheme, isBrokerCapable: isRegistered && !isBypassed))
        }
        if let legacy, registration.urlSchemes.contains("msal\(clientID)"), let url = URL(string: legacy) {
            return .accepted(RedirectURI(url: url, way: .customScheme, isBrokerCapable: false))
        }
        return .rejected(rejection(.schemeNotRegistered, text))
    }

    private func rejection(_ reason: RedirectURIRejection.Reason, _ text: String) -> RedirectURIRejection {
        let scheme = RedirectURIParts(text).scheme
        return RedirectURIRejection(
            reason: reason, uri: text, scheme: scheme, bundleIdentifier: registration.bundleIdentifier,
            hasInfoPlist: registration.hasInfoPlist, otherCase: otherCase(reason, text, scheme))
    }

    /// The URI that would have been accepted, when it differs in letter case only.
    private func otherCase(_ reason: RedirectURIRejection.Reason, _ text: String, _ scheme: String) -> String? {
        let expected = Self.defaultURI(registration.bundleIdentifier)
        if text.lowercased() == expected.lowercased() { return text == expected ? nil : expected }
        guard reason == .schemeNotRegistered,
            let registered = registration.urlSchemes.first(where: { $0.lowercased() == scheme.lowercased() })
        else { return nil }
        return registered + text.dropFirst(scheme.count)
    }
}
