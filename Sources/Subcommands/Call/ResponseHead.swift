import OAuthCore

/// Where the status line and the headers of the last response go.
struct ResponseHead: Sendable {
    static let include = Option("include", short: "i", "Print the status and headers of the response before the body")
    static let dump = Option(
        "dump-header", short: "D", argument: "FILE",
        "File to write the status and headers to, replaced if it exists; - for standard output")
    /// The name of standard output.
    private static let standard = "-"

    /// Whether they go where the body goes.
    private(set) var isIncluded: Bool
    /// Whether they go to standard output.
    private(set) var isPrinted: Bool
    private(set) var file: OutputFile?

    /// - Parameter body: the file for the body.
    init(_ options: ParsedOptions, body: String?) throws(UsageError) {
        let path = options[Self.dump]
        isIncluded = options.has(Self.include)
        isPrinted = path == Self.standard
        file = path.flatMap { $0 == Self.standard ? nil : OutputFile(path: $0) }
        guard path == nil || path != body else {
            throw .badArgument(
                Self.dump, argument: path ?? "", wanted: "another file than --output, or --include for the same file")
        }
    }

    /// To nowhere.
    init() { (isIncluded, isPrinted) = (false, false) }
}

extension HTTPResponse {
    /// The status line and the fields, as on the wire of HTTP/1.1.
    var head: String {
        let fields = headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        return "HTTP/\(version) \(status)\r\n\(fields)\r\n"
    }
}
