import CResources
import Foundation
import JSON
import MSAL

/// The meanings of error codes and the next steps, from `Resources/errors.json`.
package struct ErrorDictionary: Sendable {
    /// The raw values are the file's members.
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

    /// The raw values are the file's words.
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
        package var meaning: String
        package var advice: Advice
        /// The party that must take the next step, if the entry shares it with a group.
        package var who: Actor?
        package var source: String

        /// The next step on an unknown platform.
        package var nextStep: String { advice.general }
        /// The code of a phrase is only what to search for.
        var heading: String { kind == .phrase ? name ?? source : code }
    }

    private var entries: [Kind: [String: Entry]]

    package init(_ file: JSONValue) throws(JSONValue.UnexpectedMember) { try self.init(file, causes: []) }

    private init(_ file: JSONValue, causes: [KnownCause]) throws(JSONValue.UnexpectedMember) {
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

    package static let bundled =
        (try? Self(JSONValue(resource: keyturn_resource_errors()), causes: KnownCause.bundled)) ?? Self()

    package func entry(msal code: Int) -> Entry? { entry(.msal, "\(code)") }

    package func entry(sts code: Int) -> Entry? { entry(.sts, "\(code)") }

    /// `code` without its prefix, in any letter case.
    package func entry(_ kind: Kind, _ code: String) -> Entry? { entries[kind]?[code.lowercased()] }

    package func entries(of kind: Kind) -> [Entry] { (entries[kind] ?? [:]).values.sorted { $0.code < $1.code } }

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

extension ErrorDictionary {
    /// The entries that match the text, most likely first. A number without letters can match several kinds.
    package func entries(for text: String) -> [Entry] {
        let word = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let numbered = Self.codes(in: word).compactMap { entry($0.kind, "\($0.number)") }
        if !numbered.isEmpty { return numbered }
        if let number = Int(word) {
            guard number >= 0 else { return [entry(msal: number)].compactMap(\.self) }
            return [entry(sts: number), entry(.b2c, word), entry(msal: -number), entry(.broker, word)]
                .compactMap(\.self)
        }
        return named(word)
    }

    /// The names, for suggestions of similar ones.
    package var names: [String] {
        Kind.allCases.filter { $0 != .phrase }.flatMap { entries(of: $0) }.map { $0.name ?? $0.code }
    }

    /// What a mistyped number can mean: with two neighbouring digits swapped, or one digit one higher or lower, the last first.
    package func code(near number: String, of kinds: [Kind] = [.sts, .b2c, .msal]) -> String? {
        guard !kinds.contains(where: { entry($0, number) != nil }) else { return nil }
        let digits = Array(number.utf8)
        func replacing(_ place: Int, _ others: UInt8...) -> [UInt8] {
            digits[..<place] + others + digits[(place + others.count)...]
        }
        let swapped = digits.indices.dropLast().filter { digits[$0] != digits[$0 + 1] }
            .map { replacing($0, digits[$0 + 1], digits[$0]) }.sorted { $0.lexicographicallyPrecedes($1) }
        let changed = digits.indices.reversed().map { place in
            [digits[place] &- 1, digits[place] &+ 1].filter(\.isDigit).map { replacing(place, $0) }
        }
        return ([swapped] + changed).lazy.compactMap { numbers in
            kinds.lazy.flatMap { kind in
                numbers.lazy.compactMap { entry(kind, String(decoding: $0, as: UTF8.self))?.code }
            }.first
        }.first
    }

    private static let codePattern = Pattern(#/(?i)AAD(?<family>STS|B2C)(?<number>[0-9]{4,8})/#)

    static func codes(in text: String) -> [LogFile.Code] {
        var known: Set<LogFile.Code> = []
        return text.matches(of: codePattern.regex).compactMap { match in
            let kind = match.family.uppercased() == "STS" ? Kind.sts : .b2c
            guard let number = Int(match.number) else { return nil }
            let code = LogFile.Code(kind: kind, number: number)
            return known.insert(code).inserted ? code : nil
        }
    }

    /// An `AADSTS…` or `AADB2C…` code alone that has no entry, and the code that it can mean.
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

extension Privacy.Audience {
    package static let support = Self.report(isKnown)
    static let redactedCopy = Self.copy(isKnown)

    @Sendable private static func isKnown(_ error: String, in name: String) -> Bool {
        ErrorDictionary.bundled.entry(name == "suberror" ? .suberror : .oauth, error) != nil
    }
}

extension ErrorDictionary.Actor {
    /// The party that a next step addresses, if its entry doesn't say so: by the step's first words.
    init(addressedBy step: String) {
        self =
            KnownCause.addressed.first { $1.contains(where: step.hasPrefix) }.flatMap { Self(rawValue: $0.key) }
            ?? .developer
    }

    package var words: String {
        switch self {
        case .user: "the user"
        case .administrator: "the administrator of the user's organisation"
        case .developer: "the developer of the application"
        case .operator: "whoever runs the network or the server"
        }
    }
}
