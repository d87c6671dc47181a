import DemoAuthority

extension Fault {
    /// The switch that a word on the command line names.
    static func chosen(_ word: String) throws(UsageError) -> Fault {
        if let fault = Fault(named: word) { return fault }
        throw .unknownFault(word, near: nearest(to: word, in: allCases.map(\.name)))
    }

    /// `keyturn authority --list-faults`.
    static var list: String {
        TextTable(rows: allCases.map { [$0.name, "clients \($0.demand.rawValue)", $0.source] }).text
    }
}
