import Foundation

package struct HTTPRequest: Sendable, Equatable {
    package struct Method: Sendable, Hashable {
        package let rawValue: String

        package static let get = Method(name: "GET")
        package static let head = Method(name: "HEAD")
        package static let post = Method(name: "POST")
        package static let put = Method(name: "PUT")
        package static let patch = Method(name: "PATCH")
        package static let delete = Method(name: "DELETE")
        package static let options = Method(name: "OPTIONS")
        /// Those of APIs.
        package static let allCases = [get, head, post, put, patch, delete, options]
        /// They show a server's answer to whom it isn't for, or have no path.
        private static let unsafe: Set<String> = ["TRACE", "TRACK", "CONNECT", "PRI"]

        private init(name: String) { rawValue = name }

        package init?(rawValue: String) {
            guard let method = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
            self = method
        }

        /// Any method that another program may send, for example of WebDAV.
        package init?(relayed name: String) {
            guard name.isFieldName, !Self.unsafe.contains(name.uppercased()) else { return nil }
            self.init(name: name)
        }

        /// Read-only (RFC 9110 §9.2.1)
        package var isSafe: Bool { [.get, .head, .options].contains(self) }
    }

    package var method: Method
    package var url: URL
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// Whether only the status and the headers of the response are of use: it may never end, as a stream of events.
    package var needsOnlyHeaders = false
    /// Whether it's opened in the browser, so that its query has the parameters.
    package var isPage = false
    /// What the user changed in it, without values.
    package var changes: [String] = []

    package init(_ method: Method, _ url: URL, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }

    /// The request whose response has a resource's challenge.
    package static func withoutToken(to resource: URL) -> HTTPRequest {
        var request = HTTPRequest(.get, resource, headers: ["Accept": "*/*"])
        request.needsOnlyHeaders = true
        return request
    }

    package static func metadata(at place: URL) -> HTTPRequest {
        HTTPRequest(.get, place, headers: ["Accept": "application/json"])
    }

    private static let formType = "application/x-www-form-urlencoded"

    /// RFC 6749 §4.1.3
    package static func form(_ parameters: Parameters, to url: URL, headers: HTTPHeaders = [:]) -> HTTPRequest {
        var headers = headers
        headers["Content-Type"] = formType
        return HTTPRequest(.post, url, headers: headers, body: Array(parameters.formEncoded.utf8))
    }
}

extension HTTPRequest {
    /// Whether the request must be sent only once: it redeems a code or refresh token, polls for a device code, or has
    /// a signature for one request. A copy looks like theft (RFC 9700 §4.14.2, RFC 9449 §11.1).
    package var isSpending: Bool {
        !method.isSafe || headers["DPoP"] != nil || headers["Authorization"]?.lowercased().hasPrefix("pop ") == true
    }

    /// A working server sends something within these: a token request may wait for other servers, a document or a
    /// registration doesn't.
    package var usualSeconds: Double { isForm ? 30 : 10 }

    package var isForm: Bool { headers["Content-Type"] == Self.formType }

    package func wait(isUsual: Bool) -> String {
        let server = "Waiting for \(url.hostAndPort)"
        guard isUsual else { return "\(server) to respond." }
        let work = method.isSafe ? "send a document" : isForm ? "respond" : "register this client"
        return "\(server) to \(work), \(Int(usualSeconds)) s of silence at most."
    }
}

/// Header fields in order. Names are compared without regard to case (RFC 9110 §5.1).
package struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    package struct Field: Sendable, Equatable {
        package var name: String
        package var value: String
        /// The value as it came, if that isn't UTF-8.
        package private(set) var bytes: [UInt8]?

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }

        package init(name: String, bytes: some Collection<UInt8>) {
            self.init(name: name, value: String(decoding: bytes, as: UTF8.self))
            if !value.utf8.elementsEqual(bytes) { self.bytes = Array(bytes) }
        }

        package var wireValue: [UInt8] { bytes ?? Array(value.utf8) }
    }

    package private(set) var fields: [Field] = []

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first value of a field. Setting it replaces all fields with that name; `nil` removes them.
    package subscript(name: String) -> String? {
        get { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    package func all(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    package mutating func append(_ name: String, _ value: String) { append(Field(name: name, value: value)) }

    package mutating func append(_ field: Field) { fields.append(field) }
}
