import Foundation
import JSON
import MSAL
import Testing

@testable import Subcommands

@Suite("Claims as JSON")
struct ClaimsReportTests {
    /// Sorted by UTF-8 bytes. Every collation has another order.
    private static let names = ["10", "9", "B", "a", "zz", "Ä", "ä", "é"]

    @Test("Members are sorted by UTF-8 bytes, without a locale")
    func order() throws {
        let claims = JSONValue.object(Dictionary(uniqueKeysWithValues: Self.names.map { ($0, 1) })).serialized
        #expect(claims == "{" + Self.names.map { "\"\($0)\":1" }.joined(separator: ",") + "}")
        let json = ClaimsReport(token: try token(claims), now: Date(timeIntervalSince1970: 0)).json
        #expect(
            json == """
                {
                  "token" : {
                    "claims" : {
                \(Self.names.map { "      \"\($0)\" : 1" }.joined(separator: ",\n"))
                    },
                    "header" : {
                      "alg" : "none"
                    }
                  }
                }

                """)
    }

    @Test("Claims keep their values")
    func values() throws {
        let claims = #"{"a":{"b":[1,null,true,"x\n  y"],"c":{},"d":[]},"big":12345678901234567890}"#
        let json = ClaimsReport(token: try token(claims), now: Date(timeIntervalSince1970: 0)).json
        let read = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: [String: NSDictionary]]
        let expected = try JSONSerialization.jsonObject(with: Data(claims.utf8)) as? NSDictionary
        #expect(read?["token"]?["claims"] == expected)
        #expect(json.contains("12345678901234567890"))
    }

    private func token(_ claims: String) throws -> MSALDecodedToken {
        let parts = [#"{"alg":"none"}"#, claims].map { text in
            Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
        }
        return try #require(MSALDecodedToken("\(parts[0]).\(parts[1])."))
    }
}
