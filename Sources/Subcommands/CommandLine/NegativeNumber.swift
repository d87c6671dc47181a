/// Lets a word like `-50002` pass through `getopt_long`, which would take it for options: no option is a digit. Meanwhile it
/// begins with the mathematical minus sign, which nobody types.
enum NegativeNumber {
    private static let stand = "\u{2212}"

    static func hidden(_ word: String) -> String {
        let digits = word.dropFirst()
        let isNumber = word.hasPrefix("-") && !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
        return isNumber ? stand + digits : word
    }

    static func shown(_ word: String) -> String {
        word.hasPrefix(stand) ? "-" + word.dropFirst() : word
    }
}
