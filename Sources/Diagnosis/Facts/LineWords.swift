/// What the words of a line say, found in one pass.
struct LineWords {
    /// The raw values are those of `Resources/causes.json`.
    enum Meaning: String, CaseIterable {
        /// Something is wrong.
        case complaint
        /// It's advice, source code or a success.
        case excuse
        /// Two values are contrasted.
        case contrast
        case registered, negation, proxy, metadata, manifest, listening, token
        /// Options of Kubernetes' API server, and of its clients.
        case server, client
    }

    private var meanings: Set<Meaning> = []
    private var named: Set<ValueRole> = []
    /// The roles of which a rejected value can lead to what the line says.
    private(set) var symptoms: Set<ValueRole> = []

    init(_ line: String) {
        // The line begins like a word. Addresses have no comments, and the hosts of a copy end with .invalid.
        let text = " " + line.lowercased().replacing("://", with: ":").replacing(".invalid", with: "")
        _ = Self.scanner.scan(Array(text.utf8)) { index, _, _ in
            switch Self.rows[index].1 {
            case .meaning(let meaning): meanings.insert(meaning)
            case .role(let role): named.insert(role)
            case .symptom(let role): symptoms.insert(role)
            }
        }
    }

    func has(_ meaning: Meaning) -> Bool { meanings.contains(meaning) }
    var isComplaint: Bool { has(.complaint) && !has(.excuse) }
    var roles: [ValueRole] { ValueRole.allCases.filter(named.contains) }

    private enum Word {
        case meaning(Meaning), role(ValueRole), symptom(ValueRole)
    }

    private static let rows: [(String, Word)] =
        Meaning.allCases.flatMap { meaning in
            Facts.words("lines", meaning.rawValue).map { ($0, Word.meaning(meaning)) }
        }
        + ValueRole.allCases.flatMap { role in
            role.words.map { ($0, Word.role(role)) } + role.symptoms.map { ($0, Word.symptom(role)) }
        }

    private static let scanner = TextScanner(rows.map(\.0))
}
