import CMicroHTTPD
import Foundation
import OAuthCore

/// A request that is rejected before the handler.
struct RejectedRequest: Error {
    let status: Int
    let reason: String

    init(status: Int, _ reason: String) { (self.status, self.reason) = (status, reason) }
}

extension HTTPRequest {
    /// Reads a request. Its URL is absolute, from the `Host` field, or 127.0.0.1 without one (HTTP/1.0).
    ///
    /// - Parameter relays: whether any method is read, because another server decides.
    init(_ exchange: OpaquePointer, scheme: String, port: UInt16, relays: Bool) throws(RejectedRequest) {
        let name = keyturn_http_method(exchange).map { String(cString: $0) } ?? ""
        guard let method = relays ? Method(relayed: name) : Method(rawValue: name) else {
            throw RejectedRequest(status: 405, "This method is not allowed here.")
        }
        var headers = HTTPHeaders()
        withUnsafeMutablePointer(to: &headers) { headers in
            keyturn_http_each_header(exchange, headers) { headers, name, value in
                guard let headers, let name, let value else { return }
                let bytes = UnsafeRawBufferPointer(start: value, count: strlen(value))
                headers.assumingMemoryBound(to: HTTPHeaders.self).pointee
                    .append(HTTPHeaders.Field(name: String(cString: name), bytes: bytes))
            }
        }
        // libmicrohttpd adds a folded line to the name of the field before it.
        guard headers.fields.allSatisfy({ $0.name.isFieldName }) else {
            throw RejectedRequest(status: 400, "A header field has no valid name.")
        }
        // A server behind a gate can end the value there (RFC 9110 §5.5).
        guard headers.fields.allSatisfy({ $0.wireValue.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }) else {
            throw RejectedRequest(status: 400, "A header field has a control character.")
        }
        // One of them is false (RFC 9112 §6.3).
        guard headers["Transfer-Encoding"] == nil || headers["Content-Length"] == nil else {
            throw RejectedRequest(status: 400, "The body has two lengths.")
        }
        let host = headers["Host"] ?? "127.0.0.1:\(port)"
        let target = keyturn_http_target(exchange).map { String(cString: $0) } ?? ""
        guard headers.all("Host").count <= 1, target.hasPrefix("/"),
            host.utf8.allSatisfy({ $0.isASCIILetter || $0.isDigit || ".-:[]".utf8.contains($0) }),
            let url = URL(string: "\(scheme)://\(host)\(target)")
        else { throw RejectedRequest(status: 400, "This is not an address of this server.") }
        var length = 0
        let body = keyturn_http_body(exchange, &length)
        self.init(method, url, headers: headers, body: Array(UnsafeBufferPointer(start: body, count: length)))
    }
}

extension HTTPResponse {
    func send(on exchange: OpaquePointer) {
        let pause = UInt32(min(max(0, secondsPerByte), 60) * 1000)
        guard keyturn_http_reply(exchange, UInt32(clamping: status), body, body.count, pause) == 1 else { return }
        sendHeaders(on: exchange)
    }

    func sendHeaders(on exchange: OpaquePointer) {
        // libmicrohttpd sets the length, and closes the connection if it can't send a field.
        for field in headers.fields where !Self.framing.contains(field.name.lowercased()) {
            _ = (field.wireValue + [0]).withUnsafeBufferPointer { value in
                value.withMemoryRebound(to: CChar.self) {
                    keyturn_http_reply_header(exchange, field.name, $0.baseAddress)
                }
            }
        }
    }

    private static let framing: Set<String> = ["content-length", "transfer-encoding"]
}
