import Foundation
import OAuthCore
import Testing

@Suite("PKCE")
struct CodeVerifierTests {
    /// RFC 7636 appendix B.
    static let octets: [UInt8] = [
        116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191, 240,
        91, 88, 5, 88, 83, 132, 141, 121,
    ]

    @Test("The RFC's octets give the RFC's verifier and challenge")
    func vector() {
        let verifier = CodeVerifier(randomBytes: Self.octets)
        #expect(verifier.secret.reveal() == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(verifier.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test(
        "Valid and invalid verifiers",
        arguments: [
            (String(repeating: "a", count: 43), true), (String(repeating: "~", count: 128), true),
            (String(repeating: "a", count: 42), false), (String(repeating: "a", count: 129), false),
            (String(repeating: "a", count: 43) + "+", false), (String(repeating: "é", count: 43), false), ("", false),
        ])
    func validity(text: String, isVerifier: Bool) {
        #expect((CodeVerifier(text) != nil) == isVerifier)
    }

    @Test("A verifier does not print itself")
    func redacted() {
        let verifier = CodeVerifier(randomBytes: Self.octets)
        #expect(!"\(verifier)".contains("dBjftJ"))
        #expect(!String(reflecting: verifier).contains("dBjftJ"))
    }
}

@Suite("Scopes")
struct ScopesTests {
    @Test("Keep their order and first spelling, and lose duplicates")
    func order() {
        let scopes = Scopes(["User.Read", " Mail.Read ", "user.read", "", "a"])
        #expect(scopes.names == ["User.Read", "Mail.Read", "a"])
        #expect(scopes.text == "User.Read Mail.Read a")
        #expect(scopes.cacheTarget == "a mail.read user.read")
    }

    @Test("Are read from a scope parameter with any spacing")
    func parsing() {
        #expect(Scopes(parsing: "  b a\tB  c\n").names == ["b", "a", "c"])
        #expect(Scopes(parsing: "").isEmpty)
    }

    @Test("Compare as sets, ignoring case")
    func sets() {
        let granted: Scopes = ["User.Read", "openid", "Mail.Read"]
        #expect(Scopes(["MAIL.READ", "user.read"]).isSubset(of: granted))
        #expect(!Scopes(["user.read", "files.read"]).isSubset(of: granted))
        #expect(Scopes(["files.read", "OPENID"]).intersects(granted))
        #expect(!Scopes(["files.read"]).intersects(granted))
        #expect(Scopes().isSubset(of: granted))
        #expect(granted == ["mail.read", "OpenID", "user.read"])
        #expect(Set([granted, ["mail.read", "OpenID", "user.read"]]).count == 1)
    }

    @Test(
        "The reserved names are found only in their exact spelling",
        arguments: [
            (["openid", "User.Read", "profile"], ["openid", "profile"]), (["offline_access"], ["offline_access"]),
            (["OpenID", "email"], []),
        ])
    func reserved(names: [String], found: [String]) {
        #expect(Scopes(names).reservedNames == found)
    }

    @Test("The reserved names follow the requested ones on the wire")
    func wire() {
        #expect(Scopes(["User.Read"]).addingReserved.text == "User.Read openid profile offline_access")
        #expect(Scopes().addingReserved.text == "openid profile offline_access")
        #expect(Scopes(["User.Read", "openid"]).withoutReserved.names == ["User.Read"])
    }

    @Test(
        ".default keeps both slashes of a resource that ends in one",
        arguments: [
            ("https://graph.microsoft.com", "https://graph.microsoft.com/.default"),
            ("https://graph.microsoft.com/", "https://graph.microsoft.com//.default"),
        ])
    func resource(resource: String, scope: String) {
        #expect(Scopes.forResource(resource).names == [scope])
        #expect(Scopes(parsing: scope).text == scope)
    }

    @Test(
        "Missing scopes were requested and not granted; at Entra, email is granted beside other scopes",
        arguments: [
            ("User.Read Mail.Read", "user.read openid", true, "Mail.Read"), ("User.Read email", "User.Read", true, ""),
            ("email", "User.Read", true, "email"), ("openid email", "User.Read", true, "openid email"),
            ("phone email", "phone", false, "email"), ("a", "", false, "a"), ("", "a", false, ""),
        ])
    func missing(requested: String, granted: String, impliesEmail: Bool, missing: String) {
        let found = Scopes(parsing: requested).missing(from: Scopes(parsing: granted), impliesEmail: impliesEmail)
        #expect(found.text == missing)
    }

    @Test(
        "Two names of one scope are one scope, sent in its first spelling",
        arguments: [
            ("email", "https://www.googleapis.com/auth/userinfo.email"),
            ("profile", "https://www.googleapis.com/auth/userinfo.PROFILE"),
        ])
    func otherNames(short: String, long: String) {
        #expect(Scopes([short]) == Scopes([long]))
        #expect(Scopes([long]).contains(short) && Scopes([short]).contains(long))
        #expect(Scopes([long, short]).names == [long])
        #expect(Scopes([long]).cacheTarget == Scopes([short]).cacheTarget)
        #expect(Scopes(["https://www.googleapis.com/auth/drive"]) != Scopes(["drive"]))
    }
}

@Suite("HTTP dates")
struct HTTPDateTests {
    /// RFC 9110 §5.6.7 has the first; the others are edges of the calendar.
    static let rows: [(String, Double)] = [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
        ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ]

    @Test("Are read and written", arguments: rows)
    func roundTrip(text: String, seconds: Double) {
        #expect(HTTPDate.parse(text) == Date(timeIntervalSince1970: seconds))
        #expect(HTTPDate.format(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test(
        "Nothing else is a date",
        arguments: [
            "", "now", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT", "Sun, 06 Nov 1994 +8:49:37 GMT",
        ])
    func rejects(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }
}

@Suite("URLs")
struct EndpointTests {
    @Test(
        "URLs that may get secrets",
        arguments: [
            ("https://id.example/token", true), ("http://127.0.0.1:80/", true), ("http://localhost", true),
            ("http://[::1]:8080/x", true), ("http://127.9.9.9/", true), ("http://id.example", false),
            ("http://127.0.0.1.example.com", false), ("http://127.0.0.256", false), ("https://me:pw@id.example", false),
            ("ftp://localhost", false), ("https:///path", false), ("id.example", false),
        ])
    func secure(text: String, isSecure: Bool) throws {
        #expect(try #require(URL(string: text)).isSecureEndpoint == isSecure)
    }

    @Test(
        "One definition of loopback: localhost, 127.0.0.0/8 and ::1",
        arguments: [
            ("localhost", true), ("LocalHost", true), ("127.0.0.1", true), ("127.255.255.254", true), ("::1", true),
            ("[::1]", true), ("", false), ("localhost.", false), ("localhost.example", false), ("128.0.0.1", false),
            ("127.0.0", false), ("127.0.0.1.1", false), ("127.0.0.256", false), ("127.0.0.+1", false),
            ("127.0.0.", false), ("127.0.0.١", false), ("::2", false), ("[::1", false), ("0.0.0.0", false),
        ])
    func loopback(host: String, isLoopback: Bool) {
        #expect(Loopback.contains(host) == isLoopback)
    }

    @Test(
        "A text for the user has no password of a URL",
        arguments: [
            ("https://u:p@id.example/t can't be used.", "https://\u{2026}@id.example/t can't be used."),
            ("ftp://u@h, then http://a:b@c@d", "ftp://\u{2026}@h, then http://\u{2026}@d"),
            ("https://id.example/ada@id.example?x=a:b@c#a@b", "https://id.example/ada@id.example?x=a:b@c#a@b"),
            ("ada@id.example", "ada@id.example"), ("https://id.example", "https://id.example"),
        ])
    func urlPasswords(text: String, shown: String) {
        #expect(text.withoutURLPasswords == shown)
    }

    @Test("An existing query stays, except for parameters that are set")
    func query() throws {
        let url = try #require(URL(string: "https://id.example/authorize?p=B2C_1&scope=fixed&st%61te=theirs&state#x"))
        let added = url.addingQuery(["scope": "a b", "state": "é&="])
        #expect(added.absoluteString == "https://id.example/authorize?p=B2C_1&scope=a%20b&state=%C3%A9%26%3D")
    }
}
