import Foundation
import OAuthCore
import Testing

@Suite("Pasted responses")
struct PastedResponseTests {
    private static let answer = "http://localhost:51234/?code=0.AXoA-b_c&state=s7aTe&iss=https%3A%2F%2Fa.example%2Fv2.0"

    private func read(_ text: String, at redirect: String = "http://localhost:51234") throws -> PastedResponse {
        let url = try #require(URL(string: redirect))
        let kind: RedirectURI.Kind = redirect.hasPrefix("http:") ? .loopback : .customScheme
        return PastedResponse(text, redirectURI: RedirectURI(url: url, kind: kind, isBrokerCapable: false))
    }

    @Test(
        "The same URL, however it was copied",
        arguments: [
            answer, "  \(answer)\n", "'\(answer)'", "\"\(answer)\"", "`\(answer)`", "<\(answer)>", "“\(answer)”",
            "$ curl '\(answer)'", "I ended on \(answer) and it did not load.", "Here it is: \(answer).",
            "http://localhost:51234/\\?code\\=0.AXoA-b_c\\&state\\=s7aTe\\&iss\\=https%3A%2F%2Fa.example%2Fv2.0",
            "http://localhost:51234/?code=0.AXoA-\nb_c&state=s7\r\naTe&iss=https%3A%2F%2Fa.example%2Fv2.0",
            "http://localhost:51234/?code=0.AXoA-\n   b_c&state=s7aTe&iss=https%3A%2F%2Fa.example%2Fv2.0\n\nthank you",
            "http://localhost:51234/?code=0.AXoA-b_c&\\\nstate=s7aTe&iss=https%3A%2F%2Fa.example%2Fv2.0",
            "localhost:51234/?code=0.AXoA-b_c&state=s7aTe&iss=https%3A%2F%2Fa.example%2Fv2.0",
            "\u{1B}[200~\(answer)\u{1B}[201~", "\u{1B}\(answer)", "\u{200B}\(answer)\u{200E}",
            answer.replacing("&", with: "&amp;"), answer.replacing("&", with: "\\u0026"),
            answer.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "",
            "https://links.example/?url=\(answer.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")",
        ])
    func addresses(pasted: String) throws {
        #expect(try read(pasted) == .address(try #require(URL(string: Self.answer))))
    }

    @Test(
        "A query alone",
        arguments: ["?code=abc&state=xyz", "code=abc&state=xyz", "'?code=abc&state=xyz'", "code=abc&\nstate=xyz"])
    func queries(pasted: String) throws {
        let expected = try #require(URL(string: "http://localhost:51234?code=abc&state=xyz"))
        #expect(try read(pasted) == .address(expected))
    }

    @Test("A code with its state, as pages show it that can't redirect; the state is checked")
    func codeAndState() throws {
        for text in ["0.AXoA-b_c#s7aTe-1", " '0.AXoA-b_c#s7aTe-1'\n", "\u{1B}[200~0.AXoA-b_c#s7aTe-1\u{1B}[201~"] {
            #expect(try read(text) == .bareCode(Secret("0.AXoA-b_c"), state: Secret("s7aTe-1")))
        }
        #expect(try read("code%3Dabcdef%26state%3Dxyz").parameters["code"] == "abcdef")
    }

    @Test("An escaped URL of something else stays what it is")
    func escapedOthers() throws {
        let page =
            "https://a.example/authorize?response_type=code&client_id=c&redirect_uri=http%3A%2F%2Flocalhost%3A51234"
        #expect(try read(page) == .unusable(.authorizationRequest))
        #expect(try read("100%") == .unusable(.text))
    }

    @Test func otherRedirectURIsToo() throws {
        let scheme = "msauth.org.keyturn.app://auth"
        let expected = try #require(URL(string: "\(scheme)/?code=abc&state=xyz"))
        #expect(try read("MSAUTH.org.keyturn.app://auth/?code=abc&state=xyz", at: scheme).parameters == expected.shown)
        #expect(try read("\(scheme)/?error=access_denied&state=x", at: scheme).parameters["error"] == "access_denied")
    }

    @Test(
        "A bare code",
        arguments: [
            ("0.AXoA-b_c", "0.AXoA-b_c"), (" M.C5_BL2.2.U.1234-abcd \n", "M.C5_BL2.2.U.1234-abcd"),
            ("'4/0AanRRrt'", "4/0AanRRrt"), ("0.AXoA-\nb_c", "0.AXoA-b_c"),
            ("aPrxAbC123abcdefgh==", nil), ("4%2F0AbcDEF123", "4/0AbcDEF123"), ("abcdefghijklmnopqrstuvw", nil),
        ] as [(String, String?)])
    func bareCodes(pasted: String, code: String?) throws {
        for text in ["?code=", "state=", "access_token=", "example.com/?code="] {
            #expect(try read(text) == .unusable(.text), "\(text)")
        }
        #expect(try read(pasted) == .bareCode(Secret(code ?? pasted)))
    }

    @Test(
        "Other texts, with their explanation",
        arguments: [
            ("", .nothing), (" \n ", .nothing),
            (
                "https://login.example/authorize?response_type=code&client_id=c&redirect_uri=http%3A%2F%2Flocalhost%3A51234",
                .authorizationRequest
            ),
            ("https://login.example/error?code=50011", .anotherAddress),
            ("http://localhost:8080/?code=a&state=b", .anotherAddress),
            ("localhost:51234/elsewhere?code=a&state=b", .anotherAddress),
            ("http://localhost:51234/elsewhere?code=a&state=b", .anotherAddress),
            ("http://localhost:51234.evil.example/?code=a&state=b", .text),
            ("about:blank", .text), ("http://localhost:51234/", .withoutResponse),
            ("http://localhost:51234/?code=&state=x", .withoutResponse),
            ("http://localhost:51234/#access_token=eyJ&state=x", .token),
            ("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln", .token),
            ("It says that the site cannot be reached", .text), ("hello", .text), ("a=b", .text),
        ] as [(String, PastedResponse.Reason)])
    func unusable(pasted: String, reason: PastedResponse.Reason) throws {
        #expect(try read(pasted) == .unusable(reason))
    }

    @Test func anOversizedTextIsNotParsed() throws {
        let limit = AuthorizationResponse.maximumLength
        #expect(try read(String(repeating: "a", count: limit + 1)) == .unusable(.tooLong(limit: limit)))
    }

    @Test("A long word takes linear time", .timeLimit(.minutes(1)))
    func longWord() throws {
        let word = String(repeating: "x", count: AuthorizationResponse.maximumLength - 20)
        for text in [
            word, word + " " + word.prefix(9), word.prefix(40_000) + "://", String(word.prefix(30_000)) + "==",
        ] {
            _ = try read(text)
        }
    }

    @Test func aCodeIsNotPrinted() throws {
        #expect(!"\(try read("0.AXoA-b_c-secret"))".contains("secret"))
    }
}

extension PastedResponse {
    fileprivate var parameters: Parameters {
        guard case .address(let url) = self else { return [:] }
        return url.shown
    }
}

extension URL {
    fileprivate var shown: Parameters { AuthorizationResponse.parameters(of: self) }
}
