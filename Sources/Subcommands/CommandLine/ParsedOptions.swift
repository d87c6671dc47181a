/// What stood on the command line: options with their arguments in the order they came, and the words that are none.
package struct ParsedOptions: Sendable, Equatable {
    package var given: [Given] = []
    package var operands: [String] = []

    package struct Given: Sendable, Equatable {
        package var option: Option
        package var argument: String?
    }

    /// The last argument wins, as it does for the programs of the system.
    package subscript(option: Option) -> String? {
        given.last { $0.option == option }?.argument
    }

    package func all(_ option: Option) -> [String] {
        given.filter { $0.option == option }.compactMap(\.argument)
    }

    package func has(_ option: Option) -> Bool {
        given.contains { $0.option == option }
    }
}
