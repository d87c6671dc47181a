import MSAL

/// A text that sorts as people sort names: without case, and numbers by their value, so that user2 comes before user10.
package struct NaturalOrder: Comparable {
    private let text: String

    package init(_ text: String) { self.text = text.lowercased() }

    package static func < (one: NaturalOrder, other: NaturalOrder) -> Bool {
        var (left, right) = (one.text.utf8[...], other.text.utf8[...])
        while let first = left.first, let second = right.first {
            if first.isDigit, second.isDigit {
                let (number, otherNumber) = (takeNumber(&left), takeNumber(&right))
                if number.count != otherNumber.count { return number.count < otherNumber.count }
                if !number.elementsEqual(otherNumber) { return number.lexicographicallyPrecedes(otherNumber) }
            } else {
                if first != second { return first < second }
                (left, right) = (left.dropFirst(), right.dropFirst())
            }
        }
        return left.isEmpty && !right.isEmpty
    }

    /// The digits at the start without leading zeros.
    private static func takeNumber(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
        let digits = text.prefix(while: \.isDigit)
        text = text.dropFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }
}
