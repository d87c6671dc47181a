/// The original and its copy, line by line. What may be secret has a placeholder on both sides.
package struct CopyReview: Sendable, Equatable {
    package struct Line: Sendable, Equatable {
        package let original: String
        package let copy: String
    }

    package private(set) var lines: [Line] = []

    /// - Parameter texts: what the user hides in the copy; see ``Redaction``.
    package init(of content: [UInt8], hiding texts: [String] = []) {
        let bytes = Explainer.decoded(content)
        guard let archive = HARFile(bytes) else {
            let original = Redaction.lines(bytes, Placeholders(for: .original)).lines
            let copy = Redaction.lines(bytes, Placeholders(hiding: texts)).lines
            lines = zip(original, copy).map(Line.init)
            return
        }
        let original = Redaction.exchanges(archive, Placeholders(for: .original)).exchanges
        let copy = Redaction.exchanges(archive, Placeholders(hiding: texts)).exchanges
        lines = zip(original, copy).flatMap { zip(Self.rows($0), Self.rows($1)).map(Line.init) }
    }

    /// The request and its parameters, each on a line.
    private static func rows(_ exchange: Exchange) -> [String] {
        ["\(exchange.method) \(exchange.endpoint)" + (exchange.status == 0 ? "" : " \(exchange.status)")]
            + exchange.parameters.pairs.map { "  \($0.name)=\($0.value)" }
            + (exchange.body.map { ["  \($0.prefix(longest))"] } ?? [])
    }

    /// The longest part of a body on a line.
    private static let longest = 2000
}
