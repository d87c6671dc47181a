import Foundation

/// The rules of MSAL for iOS, and loopback URIs. A custom URI needs a registered scheme, except https and loopback. For
/// authorities that brokers support, it must also be broker-capable or loopback.
package struct RedirectURIRules: Sendable, Equatable {
    package var clientID: String
    package var registration: AppRegistration
    /// Whether to skip validation (`bypassRedirectURIValidation`). Brokers are then not used.
    package var isBypassed: Bool

    package init(clientID: String, registration: AppRegistration, isBypassed: Bool = false) {
        (self.clientID, self.registration, self.isBypassed) = (clientID, registration, isBypassed)
    }

    package enum Judgement: Sendable, Equatable {
        case accepted(RedirectURI)
        case rejected(RedirectURIRejection)
    }

    /// `custom`: the application's URI; `nil` or blank selects the default.
    package func judge(_ custom: String?, for authority: Authority) -> Judgement {
        let rules = built(for: custom)
        let verified = verify(custom)
        // Brokers support Microsoft Entra ID except for personal accounts.
        guard case .accepted(let redirect) = verified, !isBypassed, !redirect.isBrokerCapable,
            redirect.kind != .loopback, let tenant = authority.tenant, tenant != .consumers
        else { return verified }
        let text = redirect.url.absoluteString
        return rules.reject(rules.brokerObstacle(text) ?? .unknownFormat, text)
    }

    /// The rules for the built application, if the redirect URI or a scheme tells what replaces a build setting.
    package func built(for uri: String?) -> RedirectURIRules {
        var rules = self
        rules.registration = registration.built(for: uri?.trimmed)
        return rules
    }

    /// Checks only the rules that apply to every authority.
    package func verify(_ custom: String?) -> Judgement {
        let rules = built(for: custom)
        guard let text = custom?.trimmed, !text.isEmpty else { return rules.defaultRedirect() }
        return rules.verified(text)
    }

    private func verified(_ text: String) -> Judgement {
        let parts = RedirectURIParts(text)
        if parts.hasFragment { return reject(.hasFragment, text) }
        if parts.badPort != nil { return reject(.badPort, text) }
        guard let url = URL(string: text, encodingInvalidCharacters: false) else {
            return reject(parts.scheme.isEmpty ? .schemeMissing : .unknownFormat, text)
        }
        let isLink = parts.scheme.lowercased() == "https"
        let kind: RedirectURI.Kind = parts.isLoopback ? .loopback : isLink ? .httpsLink : .customScheme
        if isBypassed || kind == .loopback {
            return .accepted(RedirectURI(url: url, kind: kind, isBrokerCapable: false))
        }
        guard isLink || registration.urlSchemes.contains(parts.scheme) else {
            if text == Self.outOfBandURI { return reject(.outOfBand, text) }
            return reject(parts.scheme.isEmpty ? .schemeMissing : .schemeNotRegistered, text)
        }
        return .accepted(RedirectURI(url: url, kind: kind, isBrokerCapable: brokerObstacle(text) == nil))
    }

    private static let outOfBandURI = "urn:ietf:wg:oauth:2.0:oob"

    /// The reason why brokers don't accept a URI, or `nil`. The order of the checks matters.
    package func brokerObstacle(_ text: String) -> RedirectURIRejection.Reason? {
        let parts = RedirectURIParts(text)
        if text.trimmed.isEmpty { return .blank }
        if text == Self.defaultURI(registration.bundleIdentifier) { return nil }
        if parts.host == registration.bundleIdentifier, !parts.scheme.isEmpty { return nil }
        if ["http", "https"].contains(parts.scheme.lowercased()) { return .httpScheme }
        if text.hasPrefix("msauth") { return parts.host == "auth" ? .bundleIdentifierMismatch : .authHostMissing }
        if parts.scheme.isEmpty { return .schemeMissing }
        if text == Self.outOfBandURI { return .outOfBand }
        return parts.host.isEmpty ? .hostMissing : .unknownFormat
    }

    /// The schemes that an iOS application lists in `LSApplicationQueriesSchemes` to find Apple's broker.
    private static let brokerQuerySchemes = ["msauthv2", "msauthv3"]

    package var missingBrokerQuerySchemes: [String] {
        Self.brokerQuerySchemes.filter { !registration.querySchemes.contains($0) }
    }

    /// Whether the application lists a broker scheme, and so wants to use Apple's broker.
    package var requestsAppleBroker: Bool { missingBrokerQuerySchemes != Self.brokerQuerySchemes }

    package static let loopbackURI = "http://localhost"

    /// The URI to suggest instead of an invalid one. It is valid once its scheme, if custom, is registered.
    package static func proposal(_ bundleIdentifier: String) -> String {
        bundleIdentifier.isEmpty ? loopbackURI : defaultURI(bundleIdentifier)
    }

    package static func defaultScheme(_ bundleIdentifier: String) -> String { "msauth.\(bundleIdentifier)" }

    package static func defaultURI(_ bundleIdentifier: String) -> String { "\(defaultScheme(bundleIdentifier))://auth" }

    /// The default of MSAL's first versions, or `nil` without a client ID.
    package static func legacyDefaultURI(clientID: String) -> String? {
        clientID.trimmed.isEmpty ? nil : "msal\(clientID)://auth"
    }

    private func defaultRedirect() -> Judgement {
        guard !registration.bundleIdentifier.isEmpty else { return verify(Self.loopbackURI) }
        let text = Self.defaultURI(registration.bundleIdentifier)
        let legacy = Self.legacyDefaultURI(clientID: clientID)
        let isRegistered = registration.urlSchemes.contains(Self.defaultScheme(registration.bundleIdentifier))
        if isRegistered || isBypassed, let url = URL(string: text) {
            return .accepted(RedirectURI(url: url, kind: .customScheme, isBrokerCapable: isRegistered && !isBypassed))
        }
        if let legacy, registration.urlSchemes.contains("msal\(clientID)"), let url = URL(string: legacy) {
            return .accepted(RedirectURI(url: url, kind: .customScheme, isBrokerCapable: false))
        }
        return reject(registration.hasBuildSetting ? .buildSetting : .schemeNotRegistered, text)
    }

    private func reject(_ reason: RedirectURIRejection.Reason, _ text: String) -> Judgement {
        let scheme = RedirectURIParts(text).scheme
        return .rejected(
            RedirectURIRejection(
                reason: reason, uri: text, scheme: scheme, bundleIdentifier: registration.bundleIdentifier,
                hasInfoPlist: registration.hasInfoPlist, nearMiss: nearMiss(reason, text, scheme)))
    }

    private func nearMiss(
        _ reason: RedirectURIRejection.Reason, _ text: String, _ scheme: String
    ) -> RedirectURIRejection.NearMiss? {
        if let difference = difference(of: text) {
            let isRegistered = registration.urlSchemes.contains(Self.defaultScheme(registration.bundleIdentifier))
            return RedirectURIRejection.NearMiss(
                difference: difference, uri: Self.defaultURI(registration.bundleIdentifier),
                isRegistered: isRegistered || difference == .letterCase)
        }
        guard reason == .schemeNotRegistered,
            let registered = registration.urlSchemes.first(where: { $0.lowercased() == scheme.lowercased() }),
            registered != scheme
        else { return nil }
        return RedirectURIRejection.NearMiss(
            difference: .letterCase, uri: registered + text.dropFirst(scheme.count), isRegistered: true)
    }

    /// The only difference of a URI to the default one; `nil` if there are more or none.
    package func difference(of text: String) -> RedirectURIMiss? {
        let bundle = registration.bundleIdentifier
        guard !bundle.isEmpty, !registration.hasBuildSetting else { return nil }
        return RedirectURIMiss(of: text, from: Self.defaultURI(bundle))
    }
}
