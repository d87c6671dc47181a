/// The options of a command line with their arguments, in order, and the operands.
package struct ParsedOptions: Sendable, Equatable {
    package var given: [Given] = []
    package var operands: [String] = []

    package struct Given: Sendable, Equatable {
        package var option: Option
        package var argument: String?
    }

    /// The last argument of the option.
    package subscript(option: Option) -> String? { given.last { $0.option == option }?.argument }

    package func all(_ option: Option) -> [String] {
        given.filter { $0.option == option }.compactMap(\.argument)
    }

    package func has(_ option: Option) -> Bool {
        given.contains { $0.option == option }
    }
}
