import Foundation
import OAuthCore
import Testing

@testable import Diagnosis

/// What reads a text in one pass finds what a regular expression finds, which tries every place.
@Suite("Readers in one pass")
struct OnePassTests {
    /// Short texts of the pieces that the readers look for, the same in each run.
    private static func texts(of pieces: [String], count: Int = 3000) -> [String] {
        var state: UInt64 = 42
        func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        return (0..<count).map { _ in
            (0..<next(below: 12)).map { _ in pieces[next(below: pieces.count)] }.joined()
        }
    }

    @Test("URLs with parameters")
    func urls() {
        let pattern = #/[A-Za-z][A-Za-z0-9+.-]*:\/[^\s"'<>`]*[?#][^\s"'<>`\\)\]}…]+/#
        let pieces = [
            "a", "1", "-", "+x.", ":", "/", ":/", "http://h", "?", "#", "c=d", " ", "\"", ")", "…", "é", "<", "\\",
        ]
        for text in Self.texts(of: pieces) {
            #expect(text.urlsWithParameters == text.matches(of: pattern).map { String($0.output) }, "\(text)")
        }
    }

    @Test("URLs")
    func plainURLs() {
        let pattern = #/[A-Za-z][A-Za-z0-9+.\-]*:\/\/[^\s"'<>]+/#
        let pieces = ["a", "1", "-", ":", "://", "http://h", "?", " ", "\"", "'", "é", "<", "\u{A0}", "…"]
        for text in Self.texts(of: pieces) {
            let bytes = Array(text.utf8)
            let found = bytes.urls(with: "://", upTo: "\"'<>").map { bytes[$0.start..<$0.end] }
            #expect(found == text.matches(of: pattern).map { Array($0.output.utf8)[...] }, "\(text)")
        }
    }

    @Test("Times and GUIDs")
    func fixedForms() {
        let pattern =
            #/\b[0-9]{4}-[01][0-9]-[0-3][0-9][ T][0-9]{1,2}:[0-5][0-9]:[0-5][0-9](?: ?-[0-9]{4})?\b|\b[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\b/#
        let pieces = [
            "2026-11-27 13:30:00", "2026-11-27T9:30:00", "2026-41-27 13:30:00", "0f8fad5b-d9cb-469f-a165-70867728950e",
            "0f8fad5b-d9cb-469f-a165-7086772895", "1", "-", " ", "/", "x", "\"",
        ]
        for text in Self.texts(of: pieces) {
            let bytes = Array(text.utf8)
            // The form without a day has no expression here.
            let found = FixedForms(in: bytes).pieces.map { String(decoding: bytes[$0.range], as: UTF8.self) }
                .filter { $0 != "13:30:00" }
            #expect(found == text.matches(of: pattern.wordBoundaryKind(.simple)).map { String($0.output) }, "\(text)")
        }
    }

    @Test("The end of a body")
    func bodies() {
        let lines = ["{", "}", "{\"a\": \"}\"}", "\"b\": [", "]", "\"c\\\"\": {}", ",", "", "<html>", "</HTML> ", "x"]
        for text in Self.texts(of: lines.map { $0 + "\n" }) {
            var completion = BodyCompletion()
            var body = ""
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                body += line + "\n"
                let exchange = Exchange(number: 1, method: "", url: "", status: 0, body: body)
                let isPage =
                    exchange.isHTML
                    && body.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
                        .hasSuffix("</html>")
                let isComplete = exchange.isHTML ? isPage : exchange.json != nil
                let isReached = completion.isReached(with: String(line)) && (exchange.isHTML || exchange.json != nil)
                #expect(isReached == isComplete, "\(body)")
                // The reader leaves the body there.
                if isComplete { break }
            }
        }
    }

    @Test("A cancelled task stops reading", arguments: ["AADSTS50011", "{\"log\":{\"entries\":[{}]}}"])
    func cancelled(text: String) async throws {
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>"
        let explainer = try Explainer(clientID: "", infoPlist: Array(plist.utf8), now: .distantPast)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return Result { () throws(Explainer.Rejection) in
                try explainer.examine(file: Array(text.utf8), copies: true)
            }
        }
        let result = await task.value
        #expect(throws: Explainer.Rejection.abandoned) { try result.get() }
    }

    @Test("What is read of a text stops within the text")
    func stops() async {
        let line = "GET https://a.example/authorize?response_type=code&client_id=a&state=b\n"
        let text = Array(String(repeating: line, count: 2000).utf8)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return (RequestText(text).exchanges.count, LogFile(text).lines, Redaction(lines: text).text.count)
        }
        let (exchanges, lines, length) = await task.value
        #expect(exchanges == 0 && lines <= 1 && length < 4000)
    }
}
