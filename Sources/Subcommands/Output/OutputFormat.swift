/// How a list is written.
enum OutputFormat: String, Sendable, CaseIterable {
    case table, json

    static let option = Option(
        "output", short: "o", argument: "FORMAT", choices: allCases.map(\.rawValue),
        "how to write it; table unless given")

    init(_ options: ParsedOptions) {
        // The parser lets only the choices pass.
        self = options[Self.option].flatMap(Self.init) ?? .table
    }
}
