import JSON
import MSAL
import OAuthCore

/// An error of a gate, for the program that sent the request (RFC 9457).
struct DoorProblem: Error, Sendable, Equatable {
    var status: Int
    var title: String
    /// What happened, why, and what to do next.
    var detail: String
    /// Instead of ``detail`` in the log here, if the server may not read it.
    var ownDetail: String?

    init(_ status: Int, _ title: String, _ detail: String) {
        self.status = status
        self.title = title
        self.detail = detail
    }

    /// A failure before the origin responded.
    init(_ failure: Failure) {
        status = failure.exitCode == .interactionRequired ? 401 : 502
        title = failure.headline
        detail = failure.sentences
    }

    var response: HTTPResponse {
        let json = JSONValue.object([
            "title": .string(title), "status": JSONValue(status), "detail": .string(detail),
        ])
        return HTTPResponse(status: status, json, "application/problem+json")
    }
}

extension HTTPResponse {
    /// The response of a door, which nobody may cache.
    init(status: Int = 200, _ json: JSONValue, _ type: String = "application/json") {
        self.init(
            status: status, headers: ["Content-Type": type, "Cache-Control": "no-store"], body: Array(json.line.utf8))
    }
}
