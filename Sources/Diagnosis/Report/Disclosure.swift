import Foundation
import OAuthCore

/// Decides what of a customer's text is printed, by an allow-list: the values of harmless parameters, and the parts of a
/// URL that name a place. Everything else becomes its length or ``Masking/hidden``.
enum Disclosure {
    private enum Form {
        /// Letters, digits and a few signs, for example a client ID.
        case word
        /// Words without digits, and short ones with digits, such as `urn:ietf:params:oauth:grant-type:device_code`.
        case name
        /// An error's name or number.
        case error
        case number
        case identifier
        case url
        /// URLs or words, separated by spaces.
        case scopes
    }

    /// The harmless parameters and header fields, in lower case.
    private static let forms: [String: Form] = {
        let names = [
            "response_type", "response_mode", "prompt", "display", "ui_locales", "claims_locales",
            "code_challenge_method", "grant_type", "token_type", "timestamp", "return-client-request-id",
            "instance_aware", "haschrome", "api-version", "admin_consent", "cloud_instance_name",
            "client_assertion_type", "x-client-sku", "x-client-ver", "x-client-os", "x-client-cpu", "x-app-name",
            "x-app-ver",
        ]
        let numbers = ["max_age", "expires_in", "ext_expires_in", "refresh_in", "interval", "retry-after"]
        let identifiers = ["trace_id", "correlation_id", "client-request-id"]
        let urls = [
            "redirect_uri", "brk_redirect_uri", "post_logout_redirect_uri", "error_uri", "iss", "resource", "audience",
            "cloud_instance_host_name", "verification_uri", "verification_url", "origin", "authorization_uri",
            "resource_metadata",
        ]
        var forms: [String: Form] = ["scope": .scopes]
        for name in ["client_id", "brk_client_id"] { forms[name] = .word }
        for name in names { forms[name] = .name }
        for name in ["error", "suberror", "error_subcode"] { forms[name] = .error }
        for name in numbers { forms[name] = .number }
        for name in identifiers { forms[name] = .identifier }
        for name in urls { forms[name] = .url }
        return forms
    }()

    /// The value of a parameter or header field, or its length.
    static func value(_ value: String, of name: String) -> String { shown(value, of: name) ?? length(value) }

    static func length(_ value: String) -> String {
        value.isEmpty ? "empty" : "hidden, \(value.count) \(value.count == 1 ? "character" : "characters")"
    }

    /// The name of a parameter. An unlisted name that can be a value becomes a placeholder.
    static func name(_ name: String, hasValue: Bool = false) -> String {
        let isPlain =
            hasValue && name.utf8.count <= 32 && name.utf8.allSatisfy { $0.isASCIILetter || "_-".utf8.contains($0) }
        return isPlain || ParameterDictionary.bundled.isListed(name) ? name : Masking.hidden
    }

    /// A URL without user, and without the values of unlisted parameters.
    static func url(_ text: String) -> String {
        let place = text.prefix { $0 != "?" && $0 != "#" }
        let (query, fragment) = (Parameters(queryOf: text), Parameters(fragmentOf: text))
        return Self.place(place) + list(query, after: "?") + list(fragment, after: "#")
    }

    static func host(_ text: String) -> String {
        text.allSatisfy { $0.isLetter || $0.isNumber || ".-:[]_".contains($0) } ? text : Masking.hidden
    }

    /// The constant in a browser's reason for a missing response, for example `ERR_CONNECTION_REFUSED`.
    static func failure(_ text: String?) -> String {
        let name = text?.firstMatch(of: #/(?:net::)?[A-Z]{2,}(?:_[A-Z0-9]+)+/#)
        return name.map { String($0.output.prefix(80)) } ?? "no response"
    }

    private static func shown(_ value: String, of name: String) -> String? {
        // A longer value can be a token, and URLs can contain URLs.
        guard !value.isEmpty, value.utf8.count <= 2048, !value.contains("eyJ") else { return nil }
        switch forms[name.lowercased()] {
        case .word: return isWord(value) ? value : nil
        case .name: return isName(value) ? value : nil
        case .error: return isErrorName(value) ? value : nil
        case .number: return Int(value).map(String.init)
        case .identifier: return UUID(uuidString: value) == nil ? nil : value
        case .url: return url(value)
        case .scopes: return value.split(separator: " ").map { url(String($0)) }.joined(separator: " ")
        case nil: return nil
        }
    }

    private static func isWord(_ text: some StringProtocol) -> Bool {
        text.utf8.count <= 128
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || "._-:/,+ ".utf8.contains($0) }
    }

    private static func isName(_ text: String) -> Bool {
        isWord(text)
            && text.utf8.split { "._-:/,+ ".utf8.contains($0) }.allSatisfy { part in
                part.count <= 6 || (part.count <= 32 && part.allSatisfy(\.isASCIILetter))
            }
    }

    private static func isErrorName(_ text: String) -> Bool {
        text.wholeMatch(of: #/[A-Z]{1,8}[0-9]{2,9}|[0-9]{1,9}/#) != nil
            || (isName(text) && text.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || "._-".utf8.contains($0) })
    }

    private static func list(_ parameters: Parameters, after mark: String) -> String {
        let pairs = parameters.pairs.map {
            "\(name($0.name, hasValue: !$0.value.isEmpty))=\(shown($0.value, of: $0.name) ?? Masking.hidden)"
        }
        return pairs.isEmpty ? "" : mark + pairs.joined(separator: "&")
    }

    /// The scheme, host and path.
    private static func place(_ text: Substring) -> String {
        guard let start = text.firstRange(of: "://"), isWord(text[..<start.lowerBound]) else { return path(text) }
        let authority = text[start.upperBound...].prefix { $0 != "/" }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let user = authority.contains("@") ? "\(Masking.hidden)@" : ""
        return "\(text[..<start.lowerBound])://\(user)\(self.host(String(host)))\(path(text[authority.endIndex...]))"
    }

    private static func path(_ text: Substring) -> String {
        text.split(separator: "/", omittingEmptySubsequences: false)
            .map { isPlace($0) ? String($0) : Masking.hidden }.joined(separator: "/")
    }

    /// Whether a part of a path names a place. A long part with letters and digits can be a secret, unless it's a GUID.
    private static func isPlace(_ segment: Substring) -> Bool {
        guard segment.utf8.count <= 64, isWord(segment) else { return false }
        return UUID(uuidString: String(segment)) != nil
            || segment.split { "._-:+, ".contains($0) }
                .allSatisfy { part in part.utf8.count <= 12 || part.utf8.allSatisfy(\.isASCIILetter) }
    }
}

extension Parameters {
    /// Reads the parameters of a URL's query and fragment.
    init(queryAndFragmentOf url: String) {
        self.init(queryOf: url)
        for pair in Parameters(fragmentOf: url).pairs { append(pair.name, pair.value) }
    }

    fileprivate init(queryOf url: String) {
        let rest = url.firstIndex { $0 == "?" || $0 == "#" }.map { url[$0...] } ?? ""
        self.init(formEncoded: rest.hasPrefix("?") ? rest.dropFirst().prefix { $0 != "#" } : "")
    }

    fileprivate init(fragmentOf url: String) {
        self.init(formEncoded: url.firstIndex(of: "#").map { url[url.index(after: $0)...] } ?? "")
    }
}

extension UInt8 {
    var isASCIILetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
    }

    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension RedirectURIRejection {
    /// The rejection with a URI that is safe to print.
    var disclosed: RedirectURIRejection {
        RedirectURIRejection(
            reason: reason, uri: Disclosure.url(uri), scheme: Disclosure.host(scheme),
            bundleIdentifier: bundleIdentifier,
            hasInfoPlist: hasInfoPlist, otherCase: otherCase.map(Disclosure.url))
    }

    /// The finding about the URI.
    func finding(_ subject: String) -> CheckFinding {
        CheckFinding(subject, .failed, disclosed.explanation, fix: disclosed.nextStep)
    }
}
