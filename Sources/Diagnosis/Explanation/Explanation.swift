import Foundation

/// What a text that a person has says: a code, an address or a token, part by part, and what is wrong with it.
///
/// Secrets are not in it. Values come from whoever wrote the text: make them safe before a terminal sees them.
package struct Explanation: Sendable, Equatable {
    package enum Kind: String, Sendable, Encodable {
        case errorCode, authorizationRequest, authorizationResponse, redirectURI, authority, token
    }

    package struct Section: Sendable, Equatable {
        package var title: String
        package var rows: [Row]
    }

    /// One named part.
    package struct Row: Sendable, Equatable {
        package var name: String
        /// As it stands in the text; of a secret, only how long it is.
        package var value: String
        /// The moment meant, where it is one.
        package var date: Date?
        package var meaning: String?
        /// Who defined it.
        package var source: String?

        package init(
            _ name: String, _ value: String, date: Date? = nil, meaning: String? = nil, source: String? = nil
        ) {
            self.name = name
            self.value = value
            self.date = date
            self.meaning = meaning
            self.source = source
        }
    }

    package var kind: Kind
    /// What the text is, in a sentence.
    package var summary: String
    package var sections: [Section] = []
    /// What was judged about it.
    package var findings: [CheckFinding] = []

    package init(_ kind: Kind, _ summary: String, sections: [Section] = [], findings: [CheckFinding] = []) {
        self.kind = kind
        self.summary = summary
        self.sections = sections.filter { !$0.rows.isEmpty }
        self.findings = findings
    }
}
