import CResources
import Foundation
import JSON
import MSAL

/// The meanings of error codes and the next steps, from `Resources/errors.json`.
package struct ErrorDictionary: Sendable {
    /// The kind of a code. The raw values are the file's members.
    package enum Kind: String, Sendable, CaseIterable {
        /// `MSALError` and `MSALInternalError`, whose numbers are distinct.
        case msal
        /// The `error` of a response.
        case oauth
        /// The `suberror` of a response (Microsoft).
        case suberror
        /// The number after `AADSTS`, as in `error_codes`.
        case sts
        /// The number after `AADB2C`.
        case b2c
        /// The `status` in responses of the Linux identity broker.
        case broker
        /// Words of a provider or library, in a description, a page or an exception. From `Resources/causes.json`.
        case phrase
    }

    /// A party that can take a next step. The raw values are the file's words.
    package enum Actor: String, Sendable {
        case user, administrator, developer
        /// Runs the network or the server.
        case `operator`
    }

    package struct Entry: Sendable, Equatable {
        package var kind: Kind
        /// The code, for example `-50002`, `invalid_grant` or `AADSTS50076`.
        package var code: String
        /// The stable name of the cause of a phrase.
        var cause: String?
        /// The name in code, if it differs from the code; for a phrase the subject.
        package var name: String?
        /// The meaning in one or two sentences.
        package var meaning: String
        package var advice: Advice
        /// The party that must take the next step, if the entry shares it with a group.
        package var who: Actor?
        /// The specification or product that defines it.
        package var source: String

        /// The next step on an unknown platform.
        package var nextStep: String { advice.general }
    }

    private var entries: [Kind: [String: Entry]]

    /// - Throws: if the file is invalid, for example if an entry has no next step or an unknown group.
    package init(json: Data) throws { try self.init(json: json, causes: []) }

    init(json: Data, causes: [KnownCause]) throws {
        let file = try DictionaryFile(json)
        let groups = try file.entries(of: "groups", Step.init)
        let phrases = causes.flatMap(\.entries).map { ($0.code.lowercased(), $0) }
        entries = [.phrase: Dictionary(phrases) { first, _ in first }]
        for kind in Kind.allCases where kind != .phrase {
            for (code, json) in try file.entries(of: kind.rawValue, { $0 }) {
                entries[kind, default: [:]][code.lowercased()] = try Entry(json, kind: kind, code: code, groups)
            }
        }
    }

    private init() { entries = [:] }

    /// The bundled dictionary. A test validates it; a damaged file yields an empty dictionary.
    package static let bundled =
        (try? ErrorDictionary(json: Data(keyturn_resource_errors()), causes: KnownCause.bundled)) ?? ErrorDictionary()

    /// The entry for a code of `MSALError` or `MSALInternalError`.
    package func entry(msal code: Int) -> Entry? { entry(.msal, "\(code)") }

    /// The entry for the number after `AADSTS`, as in `error_codes`.
    package func entry(sts code: Int) -> Entry? { entry(.sts, "\(code)") }

    /// The entry for a number or, for `oauth` and `suberror`, a word in any case. Omits the prefix.
    package func entry(_ kind: Kind, _ code: String) -> Entry? { entries[kind]?[code.lowercased()] }

    /// All entries of a kind, by code as text.
    package func entries(of kind: Kind) -> [Entry] {
        (entries[kind] ?? [:]).values.sorted { $0.code < $1.code }
    }

    /// A next step that the entries of a group share.
    fileprivate struct Step {
        var advice: Advice
        var who: Actor?

        init(advice: Advice) { self.advice = advice }

        init(_ json: JSONValue) throws(JSONValue.UnexpectedMember) {
            advice = try json.required("next", Advice.init)
            who = try json.required("who") { $0.string.flatMap(Actor.init) }
        }
    }
}

extension ErrorDictionary.Entry {
    fileprivate init(
        _ json: JSONValue, kind: ErrorDictionary.Kind, code: String, _ groups: [String: ErrorDictionary.Step]
    ) throws(JSONValue.UnexpectedMember) {
        let own = try json.optional("next", Advice.init).map(ErrorDictionary.Step.init(advice:))
        let next = if let own { own } else { try json.required("group") { $0.string.flatMap { groups[$0] } } }
        self.init(
            kind: kind, code: kind.prefix + code, name: try json.optional("name", \.string),
            meaning: try json.required("meaning", \.string), advice: next.advice, who: next.who,
            source: try json.optional("source", \.string) ?? kind.source)
    }
}

extension ErrorDictionary.Kind {
    /// The displayed prefix of the number.
    var prefix: String {
        switch self {
        case .sts: "AADSTS"
        case .b2c: "AADB2C"
        case .msal, .oauth, .suberror, .broker, .phrase: ""
        }
    }

    /// The source of entries that name none.
    fileprivate var source: String { self == .b2c ? "Azure AD B2C" : "Microsoft identity platform" }
}

/// Lookup by code, name or message.
extension ErrorDictionary {
    /// The entries that match the text, most likely first. A number without letters can match several kinds.
    package func entries(for text: String) -> [Entry] {
        let word = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let numbered = Self.codes(in: word).compactMap { entry($0.kind, "\($0.number)") }
        if !numbered.isEmpty { return numbered }
        if let number = Int(word) {
            if number < 0 { return [entry(msal: number)].compactMap(\.self) }
            return [entry(sts: number), entry(.b2c, word), entry(msal: -number), entry(.broker, word)].compactMap(
                \.self)
        }
        return named(word)
    }

    /// The names, for suggestions of similar ones.
    package var names: [String] {
        Kind.allCases.filter { $0 != .phrase }.flatMap { entries(of: $0) }.map { $0.name ?? $0.code }
    }

    /// The code that a mistyped number can mean: with two neighbouring digits in the other order, or else one digit that is
    /// one higher or lower, the last digit first. `nil` for a number that isn't mistyped.
    package func code(near number: String, of kinds: [Kind] = [.sts, .b2c, .msal]) -> String? {
        guard !kinds.contains(where: { entry($0, number) != nil }) else { return nil }
        let digits = Array(number.utf8)
        let swapped = digits.indices.dropLast().filter { digits[$0] != digits[$0 + 1] }.map { place in
            var other = digits
            other.swapAt(place, place + 1)
            return other
        }.sorted { $0.lexicographicallyPrecedes($1) }
        let changed = digits.indices.reversed().map { place in
            [digits[place] &- 1, digits[place] &+ 1].filter(\.isDigit).map { digit in
                var other = digits
                other[place] = digit
                return other
            }
        }
        return ([swapped] + changed).lazy.compactMap { numbers in
            kinds.lazy.flatMap { kind in
                numbers.lazy.compactMap { entry(kind, String(decoding: $0, as: UTF8.self))?.code }
            }.first
        }.first
    }

    private static let codePattern = Pattern(#/(?i)AAD(?<family>STS|B2C)(?<number>[0-9]{4,8})/#)

    /// The distinct `AADSTS…` and `AADB2C…` codes of a text, in order.
    static func codes(in text: String) -> [LogFile.Code] {
        var known: Set<LogFile.Code> = []
        return text.matches(of: codePattern.regex).compactMap { match in
            let kind = match.family.uppercased() == "STS" ? Kind.sts : .b2c
            guard let number = Int(match.number) else { return nil }
            let code = LogFile.Code(kind: kind, number: number)
            return known.insert(code).inserted ? code : nil
        }
    }

    /// The code of a text that is an `AADSTS…` or `AADB2C…` code and nothing else, but has no entry; and the code that it can
    /// mean.
    package func unlisted(_ word: String) -> (code: String, near: String?)? {
        guard let code = Self.codes(in: word).first, code.entry == nil, word.uppercased() == code.text else {
            return nil
        }
        return (code.text, self.code(near: "\(code.number)", of: [code.kind]))
    }

    /// The entries with a Swift, Objective-C (`MSALErrorUserCanceled`) or protocol name.
    private func named(_ word: String) -> [Entry] {
        let direct = [Kind.oauth, .suberror].compactMap { entry($0, word) }
        let plain = word.lowercased().split(separator: ".").last.map(String.init) ?? ""
        let forms = [plain, Self.dropping("msalerror", plain), Self.dropping("msal", plain)]
        let kinds: [Kind] = plain.hasPrefix("msal") || word.contains(".") ? [.msal] : [.msal, .broker]
        let byName = kinds.flatMap { entries(of: $0) }
            .filter { $0.name.map { forms.contains($0.lowercased()) } ?? false }
        return direct + byName
    }

    private static func dropping(_ prefix: String, _ word: String) -> String {
        word.hasPrefix(prefix) ? String(word.dropFirst(prefix.count)) : word
    }
}

/// The readers for whom the dictionary decides which errors are known.
extension Privacy.Audience {
    package static let support = Self.report(ErrorDictionary.isKnown)
    static let redactedCopy = Self.copy(ErrorDictionary.isKnown)
}

extension ErrorDictionary {
    @Sendable fileprivate static func isKnown(_ error: String, in name: String) -> Bool {
        bundled.entry(name == "suberror" ? .suberror : .oauth, error) != nil
    }
}

extension ErrorDictionary.Actor {
    /// The party that a next step addresses, if its entry doesn't say so: by the step's first words.
    init(addressedBy step: String) {
        self =
            KnownCause.addressed.first { $1.contains(where: step.hasPrefix) }.flatMap { Self(rawValue: $0.key) }
            ?? .developer
    }

    /// In words, for an answer.
    package var words: String {
        switch self {
        case .user: "the user"
        case .administrator: "the administrator of the user's organisation"
        case .developer: "the developer of the application"
        case .operator: "whoever runs the network or the server"
        }
    }
}
