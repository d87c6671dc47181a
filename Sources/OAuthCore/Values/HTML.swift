/// Markup. The literal part of an interpolated string is markup. An interpolated `String` is escaped; an `HTML` value isn't.
package struct HTML: Sendable, Equatable, ExpressibleByStringInterpolation {
    package let markup: String

    package init(stringLiteral value: String) { markup = value }

    package init(stringInterpolation: StringInterpolation) { markup = stringInterpolation.markup }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var markup = ""

        package init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ literal: String) { markup += literal }

        package mutating func appendInterpolation(_ text: String) { markup += HTML.escape(text) }

        package mutating func appendInterpolation(_ part: HTML) { markup += part.markup }

        package mutating func appendInterpolation(_ parts: [HTML]) { markup += parts.map(\.markup).joined() }
    }

    /// Escapes text for element content and quoted attributes. Replaces characters that HTML forbids by U+FFFD.
    private static func escape(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            case "\n", "\t": out.unicodeScalars.append(scalar)
            case _ where scalar.properties.generalCategory == .control: out += "\u{FFFD}"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
