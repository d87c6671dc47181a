import Foundation
import MSAL
import OAuthCore

/// Explains pasted text offline, without the network or the cache.
package struct Explainer: Sendable {
    /// In bytes. Longer than any URL or token.
    package static let maximumLength = 256 * 1024
    package static let maximumFileSize = 256 << 20

    package var rules: RedirectURIRules
    package var now: Date

    /// - Parameter hasInfoPlist: whether the user named that file and can correct it.
    package init(
        clientID: String, infoPlist: [UInt8], hasInfoPlist: Bool = true, now: Date
    ) throws(AppRegistration.Malformed) {
        var registration = try AppRegistration(infoPlist: infoPlist)
        registration.hasInfoPlist = hasInfoPlist
        rules = RedirectURIRules(clientID: clientID, registration: registration)
        self.now = now
    }

    package enum Rejection: Error, Sendable, Equatable {
        case empty
        case cutOff
        case abandoned
        case compressed
        case unknown
    }

    package func explain(_ pasted: String) -> Explanation? { try? explain(file: Array(pasted.utf8)) }

    /// Explains the content of a file: a browser's recording (HAR), a log, an error of any length, a URL or a token.
    package func explain(file content: [UInt8]) throws(Rejection) -> Explanation {
        try examine(file: content, copies: false).explanation
    }

    /// Parses a recording once for both.
    package func examine(
        file content: [UInt8], copies: Bool, hiding texts: [String] = []
    ) throws(Rejection) -> (explanation: Explanation, copy: Redaction?) {
        let compressed: [[UInt8]] = [
            [0x1F, 0x8B], Array("PK\u{3}\u{4}".utf8), [0x28, 0xB5, 0x2F, 0xFD], Array("BZh".utf8),
        ]
        guard !compressed.contains(where: content.starts) else { throw .compressed }
        let bytes = TransferForm.decoded(Self.decoded(content))
        guard bytes.contains(where: { $0 > 0x20 }) else { throw .empty }
        let found = Result { () throws(Rejection) in try examine(decoded: bytes, copies: copies, hiding: texts) }
        // All parts stop reading when the task is cancelled, so that only part of the text counts.
        guard !Task.isCancelled else { throw .abandoned }
        return try found.get()
    }

    private func examine(
        decoded bytes: [UInt8], copies: Bool, hiding texts: [String]
    ) throws(Rejection) -> (explanation: Explanation, copy: Redaction?) {
        let archive = HARFile(bytes)
        let explanation = if let archive { Explanation(archive) } else { try explanation(of: bytes) }
        return (explanation, copies ? copy(of: bytes, archive, explained: explanation, hiding: texts) : nil)
    }

    private func explanation(of bytes: [UInt8]) throws(Rejection) -> Explanation {
        if let whole = Self.documents.lazy.compactMap({ $0(self, bytes) }).first { return whole }
        let text = RecordedText(bytes)
        guard
            var explanation = Self.texts.lazy.compactMap({ $0(text) }).first ?? quotedConfiguration(bytes)
                ?? text.response ?? text.unlistedError ?? text.anyCause ?? text.foreign
        else { throw HARFile.isStart(bytes) ? .cutOff : .unknown }
        if explanation.cause.map(text.hasOnlyForeign) ?? false { return text.withoutSignIn }
        explanation.sections += [text.details].compactMap(\.self)
        explanation.causeTicket = explanation.causeTicket?.adding(text.details?.rows ?? [])
        return explanation
    }

    // MARK: Recognisers

    private static let documents: [@Sendable (Explainer, [UInt8]) -> Explanation?] = [{ $0.short($1) }] + configurations

    private static let configurations: [@Sendable (Explainer, [UInt8]) -> Explanation?] = [
        { InfoPlistExplanation($1, clientID: $0.rules.clientID)?.explanation },
        { ConfigurationExplanation($1)?.explanation },
    ]

    /// What a text with errors, requests or lines of a log can be, in this order.
    private static let texts: [@Sendable (RecordedText) -> Explanation?] = [
        { $0.ownError }, { $0.rejectedToken }, { $0.claimsChallenge }, { $0.log }, { $0.statedCause }, { $0.error },
    ]

    /// A configuration in a message or a diff.
    private func quotedConfiguration(_ bytes: [UInt8]) -> Explanation? {
        QuotedBlocks.all(in: bytes).lazy.compactMap { block in
            Self.configurations.lazy.compactMap { $0(self, block) }.first
        }.first.map { Self.part($0, of: bytes) }
    }

    /// Without judgements of the keys that a piece of a property list lacks: the others stand in the rest of the file.
    private static func part(_ whole: Explanation, of bytes: [UInt8]) -> Explanation {
        func has(_ key: String) -> Bool { TextScanner.upperBound(of: key, in: bytes) != nil }
        guard whole.kind == .infoPlist, !has("CFBundleIdentifier") else { return whole }
        var part = whole
        part.summary = "A part of an Info.plist."
        part.findings.removeAll { finding in
            finding.verdict != .passed && finding.subject == "Bundle identifier"
                || !has("CFBundleURLSchemes") && finding.subject != InfoPlistExplanation.queries
                || !has("LSApplicationQueriesSchemes") && finding.subject == InfoPlistExplanation.queries
        }
        return part
    }

    private func short(_ bytes: [UInt8]) -> Explanation? {
        guard bytes.count <= Self.maximumLength, let whole = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        let text = Self.stripped(whole)
        return Explanation(token: text, now: now) ?? ChallengeExplanation(whole)?.explanation
            ?? address(text) ?? Explanation(error: text)
    }

    /// UTF-8 without a byte order mark. Windows programs write UTF-16 (RFC 2781).
    static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
            UInt16(bytes[index]) << (isLittle ? 0 : 8) | UInt16(bytes[index + 1]) << (isLittle ? 8 : 0)
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    package static func explain(token pasted: String, now: Date) -> Explanation? {
        Explanation(token: stripped(pasted), now: now)
    }

    private func address(_ text: String) -> Explanation? {
        let parameters = Self.parameters(of: text)
        let names = Set(parameters.pairs.map(\.name))
        // JSON can have a URL in it, and a form has what a response has.
        guard !text.contains(where: \.isWhitespace), !["{", "["].contains(text.first),
            !names.contains("grant_type") || text.prefix(while: { !"=?".contains($0) }).contains("://")
        else { return nil }
        let isCutOff =
            parameters.isCutOffRequest && ["authorize", "auth"].contains(URL(string: text)?.lastPathComponent)
        if names.contains("response_type") || (names.contains("client_id") && names.contains("scope")) || isCutOff {
            return Explanation(authorizationRequest: text, parameters, rules)
        }
        if !names.isDisjoint(with: ["code", "error", "access_token", "id_token", "state"]) {
            return Explanation(authorizationResponse: text, parameters, rules)
        }
        guard Self.isURL(text) else { return nil }
        return Explanation(authority: text) ?? Explanation(redirectURI: text, rules)
    }

    /// `scheme://…`, the private-use form `scheme:/path` (RFC 8252 §7.1) or the out-of-band URN.
    private static func isURL(_ text: String) -> Bool {
        guard let match = text.prefixMatch(of: #/(?<scheme>[A-Za-z][A-Za-z0-9+.-]+):(?<rest>\/.*)/#) else {
            return text.lowercased().hasPrefix("urn:ietf:wg:oauth:2.0:oob")
        }
        // Only a scheme that an application owns contains a dot.
        return match.rest.hasPrefix("//") ? match.scheme.lowercased() != "file" : match.scheme.contains(".")
    }

    private static func parameters(of text: String) -> Parameters {
        if !text.contains("://"), !text.contains("?"), !text.contains("#"), text.contains("=") {
            return Parameters(formEncoded: text)
        }
        return Parameters(queryAndFragmentOf: text)
    }

    /// Removes shell quotes, angle brackets and the name of an HTTP header.
    package static func stripped(_ pasted: String) -> String {
        var text = pasted.trimmingCharacters(in: .whitespacesAndNewlines)
        for (opening, closing) in [("\"", "\""), ("'", "'"), ("<", ">")]
        where text.count > 1 && text.hasPrefix(opening) && text.hasSuffix(closing) {
            text = String(text.dropFirst().dropLast())
        }
        return text.replacing(#/^(?i)(authorization:\s*)?(bearer|pop)\s+/#, with: "")
    }
}

/// Explains an authorization request (RFC 6749 §4.1.1), parameter by parameter.
extension Explanation {
    init(authorizationRequest text: String, _ parameters: Parameters, _ rules: RedirectURIRules) {
        let place = String(text.prefix { $0 != "?" && $0 != "#" })
        let request = AuthorizationRequestFindings(endpoint: URL(string: place), parameters: parameters)
        // The user names the application by its Info.plist.
        let registration = parameters["redirect_uri"].flatMap {
            RedirectURIFindings($0, rules: rules, isOther: rules.registration.hasInfoPlist).registration
        }
        let address = text.contains("?") ? [Explanation.Row("Sign-in page", Privacy.url(place))] : []
        let stated = CauseRules.causes(in: text).filter { $0.strength == .stated }
        self.init(
            .authorizationRequest, "An authorization request\(URL(string: place)?.host.map { " at \($0)" } ?? "").",
            sections: [.init(title: "Request", rows: address + parameters.pairs.map { Explanation.Row($0) })],
            findings: stated.map { $0.finding(isFirst: true) } + request.all + [registration].compactMap(\.self))
        cause = stated.first?.id
    }

    init(redirectURI text: String, _ rules: RedirectURIRules) {
        var findings = RedirectURIFindings(text, rules: rules, isOther: rules.registration.hasInfoPlist).all
        if !rules.registration.hasInfoPlist, let rejected = findings.firstIndex(where: { $0.verdict == .failed }) {
            findings[rejected].fix? += " For another application, use keyturn explain --info-plist FILE."
        }
        let isRejected = findings.worst == .failed
        self.init(
            .redirectURI,
            "\(isRejected ? "An invalid" : "A") redirect URI for "
                + (rules.registration.hasInfoPlist ? "" : "Keyturn, ") + "\(rules.registration.bundleIdentifier).",
            findings: findings)
    }

    /// The name or number alone; `nil` if the dictionary has no entry and it is no Microsoft code.
    init?(error word: String) {
        guard !word.contains(where: \.isWhitespace) else { return nil }
        let unlisted = ErrorDictionary.bundled.unlisted(word).map { Self.unlisted($0.code, near: $0.near) }
        self.init(ErrorDictionary.bundled.entries(for: word), [unlisted].compactMap(\.self))
    }

    /// A text of any length; `nil` if it contains no code. Its codes are copied, so that none is mistyped.
    init?(_ text: ErrorText, _ evidence: Evidence) {
        let names = text.names
        let others = text.mentions.filter { !names.contains($0.entry) }.map(\.entry)
        self.init(
            others, text.unlisted.map { Self.unlisted($0.code.text, near: nil) }, in: evidence,
            named: names.map(\.code))
    }

    private init?(
        _ entries: [ErrorDictionary.Entry], _ unlisted: [CheckFinding], in evidence: Evidence? = nil,
        named names: [String] = []
    ) {
        guard !entries.isEmpty || !unlisted.isEmpty else { return nil }
        var sections = entries.map { Explanation.Section($0, in: evidence) }
        if !names.isEmpty { sections[0].rows.append(.init("Also named", names.joined(separator: ", "))) }
        self.init(
            .errorCode, entries.first?.meaning ?? "An error that Keyturn doesn't know.", sections: sections,
            findings: unlisted)
        cause = entries.first.map { $0.cause ?? $0.code }
        causeTicket = entries.first.map { Ticket($0, in: evidence) }
    }

    private static func unlisted(_ code: String, near: String?) -> CheckFinding {
        CheckFinding(named: "code-not-known", code, near.map { "Did you mean \($0)? " } ?? "")
    }
}

extension Explanation.Section {
    init(_ entry: ErrorDictionary.Entry, in evidence: Evidence? = nil) {
        let isPhrase = entry.kind == .phrase
        self.init(
            title: entry.code + (isPhrase ? "" : entry.name.map { "  \($0)" } ?? ""),
            rows: [
                .init(Explanation.meaning, entry.meaning), .init("Next step", entry.advice.text(in: evidence)),
                .init("Defined by", entry.source),
            ])
        if isPhrase { heading = entry.heading }
    }
}

/// Explains the URL of an authority with a known host.
extension Explanation {
    /// `nil` for an unknown host, which is more likely a redirect URI.
    init?(authority text: String) {
        let discovery = "/.well-known/openid-configuration"
        guard let url = URL(string: text.trimmingSuffix(discovery)), url.lowercasedScheme == "https" else { return nil }
        if text.hasSuffix(discovery), url.microsoftService == nil {
            self.init(
                .authority, "The metadata of an OpenID provider.",
                sections: [.init(title: "Authority", rows: [.init("URL", Privacy.url(url.absoluteString))])])
            return
        }
        // A redirect URI can also end with /auth.
        let isProtocol = ["/oauth2/", "/openid-connect/"].contains { url.path.lowercased().contains($0) }
        if isProtocol || url.pathSegments.last != "auth", let mistake = CheckFinding.endpointAsAuthority(url) {
            self.init(.authority, "The URL of an endpoint.", findings: [mistake])
            return
        }
        guard url.microsoftService != nil, let authority = try? AuthorityRules.classify(url) else { return nil }
        let (kind, sentence) = authority.kind.words
        self.init(
            .authority, "An authority: \(sentence)",
            sections: [
                .init(
                    title: "Authority",
                    rows: [.init("URL", Privacy.url(authority.url.absoluteString)), .init("Kind", kind)])
            ])
    }
}

extension Authority.Kind {
    fileprivate var words: (name: String, sentence: String) {
        switch self {
        case .aad(.common): ("Entra, common", "all work, school and personal accounts.")
        case .aad(.organizations): ("Entra, organizations", "all work and school accounts.")
        case .aad(.consumers): ("Entra, consumers", "personal accounts.")
        case .aad(.named(let tenant)): ("Entra, one tenant", "the accounts and guests of \(tenant).")
        case .b2c: ("Azure AD B2C", "the customers of one tenant, with a policy.")
        case .ciam: ("Entra External ID", "the customers of one tenant.")
        case .openID: ("OpenID provider", "the provider's accounts.")
        case .oauth: ("OAuth server", "the server's accounts.")
        }
    }
}
