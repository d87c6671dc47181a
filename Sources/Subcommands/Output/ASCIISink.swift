/// Passes text on with nothing but ASCII in it, for terminals and files of another encoding.
package struct ASCIISink: TextSink {
    private let next: any TextSink

    package init(_ next: any TextSink) { self.next = next }

    package func write(_ text: String) throws(TextSinkFailure) {
        try next.write(Self.fold(text))
    }

    static func fold(_ text: String) -> String {
        text.reduce(into: "") { $0 += $1.isASCII ? String($1) : replacements[$1] ?? "?" }
    }

    private static let replacements: [Character: String] = [
        "…": "...", "–": "-", "—": "-", "‹": "<", "›": ">", "’": "'", "→": "->",
    ]
}
