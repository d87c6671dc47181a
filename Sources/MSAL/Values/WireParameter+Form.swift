import Foundation
import OAuthCore

extension WireParameter {
    /// The form of a harmless value. A value of another form can be anything, and is hidden from others.
    package enum Form: Sendable, Equatable {
        case free
        /// Free words of a server.
        case sentence
        /// Some of these words, separated by spaces.
        case words(Set<String>)
        case word(Set<String>)
        /// Words without digits, and short ones with digits, such as `urn:ietf:params:oauth:grant-type:device_code`.
        case name
        /// Letters, digits and a few signs.
        case clientID
        case error
        /// A list of AADSTS codes, as in `[50076,50079]`.
        case errorCodes
        case number
        case version
        case date
        case identifier
        /// A URL, or one of these words.
        case url(besides: Set<String> = [])
        /// URLs or words, separated by spaces. Only these words are in a report.
        case scopes(Set<String>)
        case codeVerifier, cookie, mediaType, challenge
    }
}

extension WireParameter.Form {
    /// The value as an explanation of a recording has it: without what can be secret.
    func explained(_ value: String) -> String? {
        // A longer value can be a token, and URLs can contain URLs.
        guard !value.isEmpty, value.utf8.count <= 2048, !value.contains("eyJ") else { return nil }
        switch self {
        case .words, .word, .name, .version: return value.isName ? value : nil
        case .clientID: return value.isWord ? value : nil
        case .error: return value.isErrorName ? value : nil
        case .number: return Int(value).map(String.init)
        case .identifier: return UUID(uuidString: value) == nil ? nil : value
        case .url: return Privacy.url(value)
        case .scopes: return value.split(separator: " ").map { Privacy.url(String($0)) }.joined(separator: " ")
        case .free, .sentence, .errorCodes, .date, .codeVerifier, .cookie, .mediaType, .challenge: return nil
        }
    }

    /// Whether the protocols define the value, so that it can't identify anybody.
    func defines(_ value: String, isKnownError: (_ value: String) -> Bool) -> Bool {
        switch self {
        case .words(let known), .scopes(let known):
            Set(value.split(separator: " ").map(String.init)).isSubset(of: known)
        case .word(let known): known.contains(value)
        case .error: isKnownError(value)
        case .errorCodes: Self.areErrorCodes(value)
        // Zeros at the start could encode something.
        case .number: value.isShortNumber && (value == "0" || !value.hasPrefix("0"))
        case .version: Self.isVersion(value)
        case .date: HTTPDate.parse(value) != nil
        case .url(let besides): besides.contains(value)
        // Random, and given to one request.
        case .identifier: UUID(uuidString: value) != nil
        case .free, .sentence, .name, .clientID, .codeVerifier, .cookie, .mediaType, .challenge: false
        }
    }

    private static func areErrorCodes(_ text: String) -> Bool {
        let numbers = text.split { "[], ".contains($0) }.map { Int($0) }
        return text.utf8.allSatisfy { $0.isDigit || "[], ".utf8.contains($0) }
            && numbers.count <= mostSTSCodes && numbers.allSatisfy { $0.map(stsCodes.contains) ?? false }
    }

    /// Longer lists and numbers could encode anything.
    package static let mostSTSCodes = 8
    package static let stsCodes = 1...9_999_999

    private static func isVersion(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return parts.count <= 2 && parts.allSatisfy { $0.utf8.count <= 2 && $0.isShortNumber }
    }
}

extension StringProtocol {
    var isWord: Bool {
        utf8.count <= 128 && utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || "._-:/,+ ".utf8.contains($0) }
    }

    fileprivate var isName: Bool {
        isWord
            && utf8.split { "._-:/,+ ".utf8.contains($0) }.allSatisfy { part in
                part.count <= 6 || (part.count <= 32 && part.allSatisfy(\.isASCIILetter))
            }
    }

    /// At most eight digits: longer numbers could be telephone numbers.
    fileprivate var isShortNumber: Bool { (1...8).contains(utf8.count) && utf8.allSatisfy(\.isDigit) }
}

extension String {
    fileprivate var isErrorName: Bool {
        wholeMatch(of: #/[A-Z]{1,8}[0-9]{2,9}|[0-9]{1,9}/#) != nil
            || (isName && utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || "._-".utf8.contains($0) })
    }
}
