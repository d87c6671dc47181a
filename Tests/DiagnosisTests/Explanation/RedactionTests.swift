import Foundation
import KeyturnCrypto
import MSAL
import OAuthCore
import Testing

@testable import Diagnosis

@Suite("Redacted copies")
struct RedactionTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Evidence")

    private static func recordings() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".har") || $0.hasSuffix(".log") }.sorted()
    }

    private static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }

    private static let explainer: Explainer? = try? Explainer(
        clientID: "",
        infoPlist: Array("<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>".utf8),
        now: Date(timeIntervalSince1970: 1_800_000_000))

    private static func redacted(_ bytes: [UInt8]) throws -> Redaction {
        let explainer = try #require(explainer)
        return try #require(try explainer.examine(file: bytes, copies: true).copy)
    }

    private static func causes(_ bytes: [UInt8]) throws -> [String] {
        try #require(explainer).explain(file: bytes).findings.filter { $0.verdict == .failed }.map(\.subject)
    }

    @Test(
        "A redacted copy has the same cause, unless it is in a token, which the copy omits",
        arguments: try recordings().filter { $0 != "glewlwyd_id_token_sent.har" })
    func cause(name: String) throws {
        let bytes = try Self.bytes(name)
        #expect(try Self.causes(Array(Self.redacted(bytes).text.utf8)) == Self.causes(bytes))
    }

    @Test(
        "A redacted copy contains no value of the original", arguments: try recordings().filter { $0.hasSuffix(".har") }
    )
    func values(name: String) throws {
        let bytes = try Self.bytes(name)
        let text = try Self.redacted(bytes).text
        let archive = try #require(HARFile(bytes))
        for exchange in archive.exchanges {
            for pair in exchange.parameters.pairs
            where Privacy.shown(pair.value, of: pair.name, to: .redactedCopy) == nil {
                if pair.value.count > 7, pair.name != "scope", !pair.value.contains("://127.0.0.1") {
                    #expect(!text.contains(pair.value), "\(pair.name)")
                }
            }
            for field in exchange.requestHeaders.fields where field.value.count > 20 && !field.value.hasPrefix("http") {
                if !["date", "content-type"].contains(field.name.lowercased()) {
                    #expect(!text.contains(field.value), "\(field.name)")
                }
            }
        }
    }

    // MARK: Planted secrets

    private static let secret = "Pl4nted?Secret/of+Zoe~Ångström@contoso.example"

    /// The secret in every encoding, with the words that must not survive.
    private static let plants: [(plant: String, forbidden: [String])] = {
        let bytes = Array(secret.utf8)
        let percent = bytes.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let base64 = ["", "x", "xy"].map { Data(($0 + secret).utf8).base64EncodedString() }
        let url = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=", with: "")
        let escaped = secret.utf16.map { "\\u" + String(UInt32($0) + 0x10000, radix: 16).dropFirst() }.joined()
        let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let jwt = JWT.compact(header: ["alg": "RS256"], payload: ["sub": .string(secret)]) { _ in bytes }
        let texts =
            [
                secret, percent, percent.uppercased(), percent.replacing("%", with: "%25"), escaped, url, hex, jwt,
                "ESTSAUTH=\(url); path=/; secure",
            ] + base64
        let marks =
            [secret, "Pl4nted", "contoso", "Zoe", url, hex, percent, String(escaped.dropFirst(12))]
            + base64.map { String($0.dropFirst(4).dropLast(4)) } + jwt.split(separator: ".").map(String.init)
        return texts.map { ($0, marks) }
    }()

    private static func expectNone(of marks: [String], in text: String, _ place: String) {
        let plain = text.lowercased()
        for mark in marks where plain.contains(mark.lowercased()) { Issue.record("\(mark) survived at \(place)") }
    }

    @Test("Planted secrets never survive in a recording", arguments: plants.indices)
    func archive(index: Int) throws {
        let (plant, marks) = Self.plants[index]
        let quoted = plant.contains("\\u") ? plant : plant.replacing("\"", with: "")
        let places: [(String, String)] = [
            ("state=", "state=\(quoted)"), ("code=", "token=\(quoted)&code="), ("://", "://\(quoted)@"),
            ("\"name\":\"", "\"name\":\"\(quoted)"),
            ("\"value\":\"", "\"value\":\"\(quoted)"), ("\"text\":\"", "\"text\":\"\(quoted)"),
            ("\"url\":\"", "\"url\":\"\(quoted)"),
            ("net::ERR", "\(quoted) net::ERR"), ("\"log\":{", "\"log\":{\"comment\":\"\(quoted)\","),
            ("\"request\":{", "\"request\":{\"_initiator\":{\"url\":\"\(quoted)\"},"),
            ("\"method\":\"", "\"method\":\"\(quoted)"),
            ("\"WebInspector\"", "\"\(quoted)\""), ("\"mimeType\":\"", "\"mimeType\":\"\(quoted)"),
            ("{\\\"", "{\\\"\(quoted.replacing("\\", with: "\\\\"))\\\":\\\"x\\\",\\\""),
            ("/authorize", "/\(quoted)/authorize"),
            ("client_id=", "client_id=\(quoted)"), ("scope=", "scope=\(quoted)+"),
            ("redirect_uri=", "redirect_uri=\(quoted)"),
            ("<title>", "<title>\(quoted)"),
            ("error_description", "error_description\\\":\\\"\(quoted.replacing("\\", with: "\\\\"))"),
        ]
        let names = [
            "good", "redirect_uri_case", "wrong_verifier", "third_party_cookies", "busy", "nobody_listens",
        ]
        let files = try names.map { ($0, String(decoding: try Self.bytes("\($0).har"), as: UTF8.self)) }
        for (number, (mark, replacement)) in places.enumerated() {
            let having = files.filter { $0.1.contains(mark) }
            #expect(!having.isEmpty, "\(mark) is in no file")
            for (name, original) in Share.of(having, number + index) {
                let planted = Array(original.replacing(mark, with: replacement).utf8)
                guard let copy = try? Self.redacted(planted) else { continue }
                Self.expectNone(of: marks, in: copy.text, "\(name): \(mark)")
            }
        }
    }

    @Test("Planted secrets never survive in a text", arguments: plants.indices)
    func lines(index: Int) throws {
        let (plant, marks) = Self.plants[index]
        let texts = [
            "msal.application: Refresh failed. invalid_grant: AADSTS50076: \(plant) and\n\(plant)",
            "DEBUG:urllib3.connectionpool:https://\(plant)/\(plant)?code=\(plant) AADSTS50076",
            "{\"error\":\"invalid_grant\",\"error_description\":\"\(plant)\",\"x\":\"\(plant)\"}",
            "HTTP/1.1 400 Bad Request\r\nSet-Cookie: \(plant)\r\n\r\n{\"error\":\"\(plant)\"}",
            "AADSTS50011\(plant)", "http://localhost/?code=\(plant)&state=\(plant)&\(plant)=x#\(plant)",
            "Authorization: Bearer \(plant)\nAADSTS50011",
            "Request body was grant_type=refresh_token&refresh_token=\(plant)&\(plant)=x\nstatus 400 {\"error\":\"\(plant)\"}",
            "POST /\(plant)/token HTTP/1.1\nHost: \(plant)\n\ngrant_type=a&scope=\(plant)&code=\(plant)\nHTTP/1.1 400\n\n"
                + "{\"error\":\"\(plant)\",\"\(plant)\":1}",
            "data {'grant_type': 'a', 'client_secret': '\(plant)', '\(plant)': 'x'} Authorization: Bearer eyJ\(plant)",
            "2026-03-01 10:00:00 \"GET /cb?code=\(plant)&state=\(plant) HTTP/1.1\" 200 date: \(plant)",
            "{ URL: https://\(plant)/token } { Status Code: 401 }",
        ]
        for text in texts {
            guard let copy = try? Self.redacted(Array(text.utf8)) else { continue }
            Self.expectNone(of: marks, in: copy.text, text)
        }
    }

    @Test("Equal values get equal placeholders, and the receipt counts them")
    func receipt() throws {
        let copy = try Self.redacted(Self.bytes("good.har"))
        let archive = try #require(HARFile(Array(copy.text.utf8)))
        let states = archive.exchanges.compactMap { $0.parameters["state"] }
        #expect(states.count > 1 && Set(states) == ["state-1"])
        let row = try #require(copy.receipt.rows.first { $0.kind == "state" })
        #expect(row.values == 1 && row.places >= states.count)
        #expect(copy.receipt.leftOut > 0)
    }

    @Test("Times, codes and causes of a log stay")
    func log() throws {
        let text =
            "TID=1 MSAL 2.4.1 iOS 18.2 [2026-03-01 10:00:00 - 6F1C2B7E-0000-4000-8000-0000000000A1] Zoe: AADSTS50011"
        #expect(try Self.redacted(Array(text.utf8)).text == text.replacing("Zoe", with: "…"))
    }
}
