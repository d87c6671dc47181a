import DemoAuthority

extension Scenario {
    /// The scenario that a word on the command line names; without one, the plainest.
    static func chosen(_ word: String?) throws(UsageError) -> Scenario {
        guard let word else { return .plainSignIn }
        if let scenario = named(word) { return scenario }
        let names = all.map(\.name)
        let near = nearest(to: word, in: names) ?? names.first { $0.contains(word.lowercased()) }
        throw .unknownScenario(word, near: near)
    }

    /// `keyturn demo --list`.
    static var list: String { TextTable(rows: all.map { [$0.name, $0.story] }).text }
}
