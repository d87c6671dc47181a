import DemoAuthority
import Foundation
import OAuthCore

extension FuzzTarget {
    /// Any request to the built-in authority: the first line is the URL, the rest the body of a form. Every request
    /// gets a response, and no input becomes markup in a page or ends a header field.
    static let authorityRequest = FuzzTarget("authority-request") { bytes in
        let line = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let target = String(decoding: bytes[..<line], as: UTF8.self)
        guard target.hasPrefix("/"), let origin = URL(string: "http://127.0.0.1:8400"),
            let url = URL(string: "http://127.0.0.1:8400\(target)")
        else { return .rejected }
        let body = Array(bytes[line...].dropFirst())
        var authority = DemoAuthority(origin: origin, keys: try keys.get()) { Array(repeating: 7, count: $0) }
        var request = HTTPRequest(body.isEmpty ? .get : .post, url, body: body)
        if !body.isEmpty { request.headers["Content-Type"] = "application/x-www-form-urlencoded" }
        let response = authority.respond(to: request, at: Date(timeIntervalSince1970: 1_767_225_600))
        try require((200...599).contains(response.status), "the status \(response.status)")
        for field in response.headers.fields {
            try require(!field.value.hasControlCharacter, "the field \(field.name) contains a control character")
        }
        if response.headers["Content-Type"]?.hasPrefix("text/html") == true {
            try require(!response.text.contains("<fz"), "the input is markup in the page")
        } else if response.headers["Content-Type"]?.hasPrefix("application/json") == true {
            try require((try? JSONValue(parsing: response.body)) != nil, "a response that is not JSON")
        }
        return response.status < 400 ? .accepted : .rejected
    }

    private static let keys = Result { try DemoKeys.generate() }
}
