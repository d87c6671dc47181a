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
        /// As it is written in code or on the wire: `-50002`, `invalid_grant`, `AADSTS50076`.
        package var code: String
        /// What code calls it, where that is not the code itself.
        package var name: String?
        /// One or two sentences.
        package var meaning: String
        package var nextStep: String
        /// Who defined it.
        package var source: String
    }

    private var entries: [Kind: [String: Entry]]

    /// - Throws: a `DecodingError` for anything that is not such a file.
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

    /// The file the program carries. A test reads it; were it damaged, errors would be shown without their meanings.
    package static let bundled = (try? ErrorDictionary(json: Data(keyturn_resource_errors()))) ?? ErrorDictionary()

    /// The code of `MSALError` or `MSALInternalError`.
    package func entry(msal code: Int) -> Entry? { entry(.msal, "\(code)") }

    /// The number after `AADSTS`, as it stands in `error_codes`.
    package func entry(sts code: Int) -> Entry? { entry(.sts, "\(code)") }

    /// The number, or for `oauth` and `suberror` the word in any case, without the letters before it.
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
