import Foundation
import OAuthCore

/// A recorded HTTP request and its response.
///
/// Contains secrets. Print only its number, role, host and outcome.
package struct Exchange: Sendable, Equatable {
    /// The position in the recording, starting at 1.
    var number: Int
    var time: Date?
    /// Whether ``time`` is that of an unknown time zone, as UTC.
    var hasLocalTime = false
    /// Milliseconds from the start of the request to the first byte of the response.
    var milliseconds: Double?
    /// Empty if only the response is known.
    var method: String
    var url: String
    /// The parameters of the query and of a form body.
    var parameters = Parameters()
    var requestHeaders = HTTPHeaders()
    /// `0` if there was no response.
    var status: Int
    /// Why there was no response, for example `net::ERR_NAME_NOT_RESOLVED`.
    var failure: String?
    var responseHeaders = HTTPHeaders()
    /// The start of a text body; `nil` if the recording has none.
    var body: String?
    /// Whether the recording marks it as a CORS preflight.
    var isPreflight = false
    /// Whether the text may lack the response.
    var mayLackResponse = false

    /// Whether a later request uses the token in the response.
    var isDelivered = false

    /// The maximum length of a body in bytes. Error pages and OAuth responses are shorter.
    static let mostBody = 256 << 10

    /// The parameters of the form body.
    var form: Parameters {
        get { Parameters(parameters.pairs.dropFirst(Parameters(queryAndFragmentOf: url).pairs.count)) }
        set { parameters = Parameters(Parameters(queryAndFragmentOf: url).pairs + newValue.pairs) }
    }

    /// A parameter's value, unless the recording hides it.
    func shown(_ name: String) -> String? {
        parameters[name].flatMap { $0.hasPrefix(Secret.placeholder) || Self.isHidden($0) ? nil : $0 }
    }

    /// Whether somebody replaced the value by hand, for example by `REDACTED`, `***` or `<code>`.
    static func isHidden(_ value: String) -> Bool {
        value.count < 40 && value.wholeMatch(of: hidden.regex) != nil
    }

    private static let hidden = Pattern(
        #/(?i)\W{0,2}(?:redacted|removed|hidden|secret|snip(?:ped)?|omitted|code|token)\W{0,2}|\*+|x{3,}|\.{3,}|…/#)

    /// The URL without query and fragment.
    var endpoint: String { String(url.prefix { $0 != "?" && $0 != "#" }) }
    var host: String { URL(string: endpoint)?.host?.lowercased() ?? "" }
    var path: String { URL(string: endpoint)?.path.lowercased() ?? "" }
    var scheme: String { String(url.prefix { $0 != ":" }).lowercased() }

    /// The members of a JSON body.
    var json: [String: JSONValue]? { body.flatMap { try? JSONValue(parsing: $0) }?.object }
    var isHTML: Bool { body?.trimmingCharacters(in: .whitespacesAndNewlines).hasPrefix("<") ?? false }
    /// The server's time.
    var date: Date? { responseHeaders["Date"].flatMap(HTTPDate.parse) }
    /// The target of a redirect.
    var location: String? { (300..<400).contains(status) ? responseHeaders["Location"] : nil }
    /// Whether the browser withheld the response, and gives no reason in the network. Chromium records the status of a response
    /// that it withholds, and a proxy the whole response.
    var isBlocked: Bool {
        if isDelivered { return false }
        if status == 0 { return !method.isEmpty && !mayLackResponse && failure?.contains("ERR_FAILED") ?? true }
        guard let origin = requestHeaders["Origin"].flatMap({ URL(string: $0)?.host?.lowercased() }) else {
            return false
        }
        return origin != host && responseHeaders["Access-Control-Allow-Origin"] == nil
            && requestHeaders["Sec-Fetch-Mode"] != "navigate"
    }
    /// The constant in a browser's reason for a missing response, for example `ERR_CONNECTION_REFUSED`.
    var failureName: String {
        let name = failure?.prefix(200).firstMatch(of: #/(?:net::)?[A-Z]{2,}(?:_[A-Z0-9]+)+/#)
        return name.map { String($0.output.prefix(80)) } ?? "no response"
    }
    /// The status, or why there is none; empty if the text may lack it.
    var statusName: String {
        status != 0 ? "HTTP \(status)" : method.isEmpty || mayLackResponse ? "" : failureName
    }
    /// The number on an error page of Microsoft Entra ID.
    static let pageCode = Pattern(#/"sErrorCode"\s*:\s*"(?<number>[0-9]{5,7})"/#)

    /// The status and the printable error of a response.
    var outcome: [Fact] {
        (status == 0 ? [] : [.status(status)])
            + (rejection.map { $0.error.isEmpty ? [] : [.parameter("error", $0.error)] } ?? [])
    }
}
