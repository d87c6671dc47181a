import Foundation

/// One HTTP request as a value: what the engine sends, what the built-in authority answers.
package struct HTTPRequest: Sendable, Equatable {
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
        case options = "OPTIONS"
    }

    package var method: Method
    package var url: URL
    package var headers: HTTPHeaders
    package var body: [UInt8]

    package init(_ method: Method, _ url: URL, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// A `POST` of `application/x-www-form-urlencoded` parameters, as OAuth 2.0 endpoints want it (RFC 6749 §4.1.3).
    package static func form(_ parameters: Parameters, to url: URL, headers: HTTPHeaders = [:]) -> HTTPRequest {
        var headers = headers
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        return HTTPRequest(.post, url, headers: headers, body: Array(parameters.formEncoded.utf8))
    }
}
