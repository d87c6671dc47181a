import Foundation
import Testing

@testable import Diagnosis

@Suite("Recordings of other programs than Chromium")
struct HARFormsTests {
    /// A code that is redeemed twice, the second request first: programs list requests by the end of the response.
    private static func recording(by creator: String, _ times: [String], isInner: Bool) -> String {
        let answers = [#"{\"error\":\"invalid_grant\"}"#, #"{\"access_token\":\"x\"}"#]
        let entries = zip(times, answers).enumerated().map { index, part in
            """
            {"startedDateTime":"\(part.0)","request":{"method":"POST","url":"https://id.example/token","headers":[],\
            "postData":{"mimeType":"application/x-www-form-urlencoded","params":[\
            {"name":"grant_type","value":"authorization_code"},{"name":"code","value":"a code"},\
            {"name":"client_id","value":"native"}]}},"response":{"status":\(index == 0 ? 400 : 200),"headers":[],\
            "content":{"mimeType":"application/json","text":"\(part.1)"}}}
            """
        }
        let log = #"{"version":"1.2","creator":{"name":"\#(creator)"},"entries":[\#(entries.joined(separator: ","))]}"#
        return isInner ? log : #"{"log":\#(log)}"#
    }

    @Test(
        "Times of any offset order the requests, and decoded forms are read",
        arguments: [
            ("Firefox", ["2026-03-01T11:00:02.000+01:00", "2026-03-01T11:00:01.000+01:00"], true),
            ("mitmproxy", ["2026-03-01T10:00:02.123456+00:00", "2026-03-01T10:00:01.123456+00:00"], false),
            ("WebKit Web Inspector", ["2026-03-01T10:00:02.000Z", "2026-03-01T10:00:01.000Z"], false),
        ])
    func cause(creator: String, times: [String], isInner: Bool) throws {
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>org.example.app</string></dict></plist>"
        let text = Self.recording(by: creator, times, isInner: isInner)
        let explanation = try Explainer(clientID: "", infoPlist: Array(plist.utf8), now: .distantPast)
            .explain(file: Array(text.utf8))
        #expect(explanation.summary.contains("from \(creator)"))
        #expect(explanation.findings.first?.subject == "Authorization code")
    }
}
