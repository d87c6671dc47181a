import CResources
import Foundation

/// What error codes mean and what to do about them, from `Resources/errors.json`.
package struct ErrorDictionary: Sendable {
    /// Whose code it is. The raw values are the members of the file.
    package enum Kind: String, Sendable, CaseIterable, Encodable {
        /// `MSALError` and `MSALInternalError`, which share no number.
        case msal
        /// `error` of an answer.
        case oauth
        /// `suberror`, an addition of Microsoft's.
        case suberror
        /// The number after `AADSTS`, as in `error_codes`.
        case sts
        /// The number after `AADB2C`.
        case b2c
        /// `status` in the answers of the Linux identity broker.
        case broker
    }

    package struct Entry: Sendable, Equatable {
        package var kind: Kind
        /// The code, for example `-50002`, `invalid_grant` or `AADSTS50076`.
        package var code: String
        /// The name in code, if it differs from the code.
        package var name: String?
        /// One or two sentences.
        package var meaning: String
        package var nextStep: String
        /// The specification or product that defines it.
        package var source: String
    }

    private var entries: [Kind: [String: Entry]]

    /// - Throws: a `DecodingError` if the file is invalid.
    package init(json: Data) throws {
        let groups = try JSONDecoder().decode([String: [String: Record]].self, from: json)
        entries = [:]
        for kind in Kind.allCases {
            for (code, record) in groups[kind.rawValue] ?? [:] {
                entries[kind, default: [:]][code.lowercased()] = Entry(record, kind: kind, code: code)
            }
        }
    }

    private init() { entries = [:] }

    /// The dictionary in the program. A test reads it. If it were damaged, errors would have no meanings.
    package static let bundled = (try? ErrorDictionary(json: Data(keyturn_resource_errors()))) ?? ErrorDictionary()

    /// The entry for a code of `MSALError` or `MSALInternalError`.
    package func entry(msal code: Int) -> Entry? { entry(.msal, "\(code)") }

    /// The entry for the number after `AADSTS`, as in `error_codes`.
    package func entry(sts code: Int) -> Entry? { entry(.sts, "\(code)") }

    /// The entry for a number or, for `oauth` and `suberror`, a word in any case. Omits the prefix.
    package func entry(_ kind: Kind, _ code: String) -> Entry? { entries[kind]?[code.lowercased()] }

    /// All of a kind, by number or name.
    package func entries(of kind: Kind) -> [Entry] {
        (entries[kind] ?? [:]).values.sorted { $0.code.localizedStandardCompare($1.code) == .orderedAscending }
    }

    fileprivate struct Record: Decodable {
        var name: String?
        var meaning: String
        var next: String
        var source: String?
    }
}

extension ErrorDictionary.Entry {
    fileprivate init(_ record: ErrorDictionary.Record, kind: ErrorDictionary.Kind, code: String) {
        self.init(
            kind: kind, code: kind.prefix + code, name: record.name, meaning: record.meaning, nextStep: record.next,
            source: record.source ?? kind.source)
    }
}

extension ErrorDictionary.Kind {
    /// The letters that stand before the number where people see it.
    fileprivate var prefix: String {
        switch self {
        case .sts: "AADSTS"
        case .b2c: "AADB2C"
        case .msal, .oauth, .suberror, .broker: ""
        }
    }

    /// Where an entry names none.
    fileprivate var source: String { self == .b2c ? "Azure AD B2C" : "Microsoft identity platform" }
}
