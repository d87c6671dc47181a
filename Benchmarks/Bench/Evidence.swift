import Diagnosis
import Foundation

/// Texts that a reader of logs could take long for: a word, a picture, or thousands of requests that belong together.
enum Evidence: String, CaseIterable {
    case letters, marked, urls, forms, spaces, quotes, codes, identifiers, lines, fields, body, log, query
    case grants, flows, pages, failure

    /// - Parameter length: in bytes, roughly.
    func text(_ length: Int) -> String {
        func repeated(_ text: String) -> String { String(repeating: text, count: length / text.utf8.count) }
        func numbered(_ text: (Int) -> String) -> String {
            (0..<length / text(0).utf8.count).map(text).joined()
        }
        return switch self {
        case .letters: repeated("a")
        case .marked: "AADSTS50011 response_type \(repeated("a"))"
        case .urls: "AADSTS50011 response_type \(repeated("https:/a"))"
        case .forms: "AADSTS50011 grant_type \(repeated("a=b&"))"
        case .spaces: "HTTP/1.1 400 Bad\nA: b\(repeated(" "))c"
        case .quotes: "keyturn: Failed.\n         \(repeated("“"))"
        case .codes: numbered { "AADSTS\(1_000_000 + $0) " }
        case .identifiers: "AADSTS50011 \(repeated("0f8fad5b-d9cb-469f-a165-70867728950e "))"
        case .lines: "AADSTS50011\(repeated("\nresponse_type"))"
        case .fields: "HTTP/1.1 400 Bad\n\(repeated("A: b\n"))"
        case .body: "HTTP/1.1 400 Bad\n\n{\"a\": [\n\(repeated("{},\n"))"
        case .log: numbered { "GET https://a.example/authorize?response_type=code&client_id=a&state=\(1000 + $0)\n" }
        case .query: "https://a.example/authorize?response_type=code\(numbered { "&a\(1000 + $0)=b" })"
        case .grants: recording(length) { Self.grant($0) }
        case .flows: recording(length) { [Self.request, Self.response, Self.grant][$0 % 3]($0 / 3) }
        case .pages: recording(length) { $0 % 2 == 0 ? Self.request($0) : Self.page($0) }
        case .failure:
            recording(1) { _ in Self.entry("GET", "https://a.example/x", #""status":0,"_error":"\#(repeated("A"))""#) }
        }
    }

    /// The explanation and a redacted copy.
    func explain(_ bytes: [UInt8], by explainer: Explainer) { _ = try? explainer.examine(file: bytes, copies: true) }

    static func explainer() throws -> Explainer {
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>"
        return try Explainer(clientID: "", infoPlist: Array(plist.utf8), now: .distantPast)
    }

    private func recording(_ length: Int, _ entry: (Int) -> String) -> String {
        let count = max(1, length / entry(0).utf8.count)
        return #"{"log":{"entries":[\#((0..<count).map(entry).joined(separator: ","))]}}"#
    }

    private static func entry(_ method: String, _ url: String, _ response: String, form: String = "") -> String {
        let data = #"{"mimeType":"application/x-www-form-urlencoded","text":"\#(form)"}"#
        return #"{"request":{"method":"\#(method)","url":"\#(url)","postData":\#(data)},"response":{\#(response)}}"#
    }

    private static func grant(_ number: Int) -> String {
        entry(
            "POST", "https://a.example/token",
            #""status":400,"content":{"mimeType":"application/json","text":"{\"error\":\"invalid_grant\"}"}"#,
            form: "grant_type=authorization_code&code=\(1000 + number)&code_verifier=a")
    }

    private static func request(_ number: Int) -> String {
        let place =
            #""headers":[{"name":"Location","value":"http://localhost/?code=\#(1000 + number)&state=\#(1000 + number)"}]"#
        return entry(
            "GET",
            "https://a.example/authorize?response_type=code&client_id=a&redirect_uri=http://localhost&state=\(1000 + number)",
            #""status":302,\#(place)"#)
    }

    private static func response(_ number: Int) -> String {
        entry("GET", "http://localhost/?code=\(1000 + number)&state=\(1000 + number)", #""status":200"#)
    }

    private static func page(_ number: Int) -> String {
        entry(
            "POST", "https://a.example/page/\(1000 + number)",
            #""status":200,"headers":[{"name":"Set-Cookie","value":"a"}],"content":{"mimeType":"text/html","text":"<p>"}"#
        )
    }
}
