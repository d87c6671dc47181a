/// The lines that ``RequestText`` reads.
enum LinePattern {
    /// In a log with several requests at a time.
    static let tag = Pattern(#/\[(?<tag>[0-9a-f-]{4,36})\]/#)
    /// A token that a program logs alone.
    static let bearerToken = Pattern(#/(?:\bBearer |^)(?<token>eyJ[\w.\-]+)/#)
    /// Python's http.client.
    static let pythonSent = Pattern(#/^send: b(?<quote>['"])(?<text>.*)\k<quote>$/#)
    /// The first line of a message. People who copy a request by hand leave the version out.
    static let requestLine = Pattern(#/(?<method>[A-Z]{3,7}) (?<target>\S+?)(?<version> HTTP\/[0-9.]+)?\s*/#)
    static let statusLine = Pattern(#/HTTP\/[0-9.]+ (?<status>[1-5][0-9]{2})\b/#)
    static let pair = Pattern(#/[A-Za-z_]+=./#)
    static let field = Pattern(#/(?<name>[A-Za-z0-9-]+):/#)
    /// OkHttp and the like.
    static let arrowReceived = Pattern(#/[ \]]<-* (?<status>[1-5][0-9]{2}) /#)
    /// The lines that report a request, each with a text that it contains.
    static let reports: [(mark: String, pattern: Pattern<AnyRegexOutput>)] = [
        // Apple's description of a request or response.
        ("{ URL: ", report(#/\{ URL: (?<url>https?:\/\/\S+) \}(?:.*\{ Status Code: (?<status>[1-5][0-9]{2}))?/#)),
        // OkHttp and the like.
        ("> ", report(#/[ \]]-*> (?<method>[A-Z]{3,7}) (?<url>https?:\/\/\S+)/#)),
        // A server's access log, or urllib3.
        (
            "HTTP/",
            report(
                #/(?:(?<server>https?:\/\/[^ "\/]+) )?"(?<method>[A-Z]{3,7}) (?<url>[^ "]+) HTTP\/[0-9.]+"(?: (?<status>[1-5][0-9]{2})\b)?/#
            )
        ),
        // httpx.
        ("HTTP/", report(#/(?<method>[A-Z]{3,7}) (?<url>https?:\/\/\S+) "HTTP\/[0-9.]+ (?<status>[1-5][0-9]{2})/#)),
    ]
    static let status = Pattern(#/(?i)\bstatus(?:[ _]code)?['"]?[ =:]+(?<code>[1-5][0-9]{2})\b/#)
    static let date = Pattern(#/(?i)\bdate['"]?[:=] ?['"]?(?<date>[A-Z]{3}, [0-9]{2} [A-Z]{3} [0-9]{4} [0-9:]{8} GMT)/#)
    /// httpcore.
    static let loggedDate = Pattern(#/\(b'[Dd]ate', b'(?<date>[^']+)'\)/#)
    static let time = Pattern(
        #/(?<day>20[0-9]{2}-[0-9]{2}-[0-9]{2})[T ](?<time>[0-9]{2}:[0-9]{2}:[0-9]{2})(?:[.,][0-9]+)?(?<zone>Z|[+-][0-9]{2}:?[0-9]{2})?/#
    )

    private static func report<Output>(_ regex: Regex<Output>) -> Pattern<AnyRegexOutput> { Pattern(Regex(regex)) }
}

/// Parsed once: a literal in a function is parsed at each call, which takes longer than the search in a line.
/// Unchecked, because `Regex` isn't Sendable: nothing changes it, and the standard library stores its program atomically.
struct Pattern<Output>: @unchecked Sendable {
    let regex: Regex<Output>

    init(_ regex: Regex<Output>) { self.regex = regex }
}
