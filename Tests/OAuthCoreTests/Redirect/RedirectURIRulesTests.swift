import Foundation
import Testing

@testable import OAuthCore

private let bundle = "test.bundle.identifier"

private func rules(
    _ schemes: [String], queries: [String] = [], bundle: String = bundle, client: String = "msidclient",
    bypassed: Bool = false
) -> RedirectURIRules {
    RedirectURIRules(
        clientID: client,
        registration: AppRegistration(bundleIdentifier: bundle, urlSchemes: schemes, querySchemes: queries),
        isBypassed: bypassed)
}

private func authority(_ text: String) throws -> Authority {
    try AuthorityRules.classify(#require(URL(string: text)))
}

/// A result in a form that a table can hold.
private enum Outcome: Equatable, Sendable {
    case capable(String)
    case incapable(String)
    case rejected(RedirectURIRejection.Reason)

    init(_ judgement: RedirectURIRules.Judgement) {
        switch judgement {
        case .accepted(let redirect):
            let text = redirect.url.absoluteString
            self = redirect.isBrokerCapable ? .capable(text) : .incapable(text)
        case .rejected(let rejection): self = .rejected(rejection.reason)
        }
    }
}

@Suite("Redirect URIs: rules for every authority")
struct RedirectURIVerificationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var schemes: [String]
        var uri: String?
        var bypassed = false
        fileprivate var outcome: Outcome
        var testDescription: String { "\(uri ?? "none") with \(schemes)\(bypassed ? ", bypassed" : "")" }
    }

    /// The rows of MSAL for iOS (docs/upstream-behaviour.md §1.6), then its macOS rows with the same meaning here.
    static let rows: [Row] = [
        Row(schemes: ["myapp"], uri: "myapp://authtest", outcome: .incapable("myapp://authtest")),
        Row(
            schemes: ["msauth.\(bundle)"], uri: "msauth.\(bundle)://auth", outcome: .capable("msauth.\(bundle)://auth")),
        Row(schemes: ["msauth.\(bundle)"], uri: "msauth.\(bundle)://auth#", outcome: .rejected(.hasFragment)),
        Row(schemes: ["myscheme"], uri: "myscheme://\(bundle)", outcome: .capable("myscheme://\(bundle)")),
        Row(schemes: ["myscheme"], uri: "notregistered://\(bundle)", outcome: .rejected(.schemeNotRegistered)),
        Row(schemes: ["msauth.\(bundle)"], uri: nil, outcome: .capable("msauth.\(bundle)://auth")),
        Row(schemes: ["msalmsidclient"], uri: nil, outcome: .incapable("msalmsidclient://auth")),
        Row(schemes: ["myscheme"], uri: nil, outcome: .rejected(.schemeNotRegistered)),
        Row(
            schemes: ["unsupportedScheme"], uri: "unsupportedScheme://auth",
            outcome: .incapable("unsupportedScheme://auth")),
        Row(schemes: ["myapp"], uri: "https://example.com", outcome: .incapable("https://example.com")),
        Row(schemes: ["myapp"], uri: "myapp://", outcome: .incapable("myapp://")),
        Row(schemes: ["myapp"], uri: "myapp://auth", outcome: .incapable("myapp://auth")),
        // macOS registers no schemes, so its "not capable" rows need theirs registered here.
        Row(
            schemes: ["msauth.\(bundle)2"], uri: "msauth.\(bundle)2://auth",
            outcome: .incapable("msauth.\(bundle)2://auth")),
        Row(schemes: [], uri: "invalid_redirect", outcome: .rejected(.schemeMissing)),
        Row(schemes: [], uri: "invalid_redirect", bypassed: true, outcome: .incapable("invalid_redirect")),
        Row(
            schemes: [], uri: "msauth.\(bundle)2://auth", bypassed: true,
            outcome: .incapable("msauth.\(bundle)2://auth")),
        // Rows of this project.
        Row(schemes: ["msauth.\(bundle)"], uri: "  ", outcome: .capable("msauth.\(bundle)://auth")),
        Row(schemes: ["MyApp"], uri: "myapp://auth", outcome: .rejected(.schemeNotRegistered)),
        Row(schemes: ["myapp"], uri: "myapp://auth#x", bypassed: true, outcome: .rejected(.hasFragment)),
        Row(schemes: ["msauth.\(bundle)", "msalmsidclient"], uri: nil, outcome: .capable("msauth.\(bundle)://auth")),
        Row(schemes: [], uri: nil, bypassed: true, outcome: .incapable("msauth.\(bundle)://auth")),
        Row(schemes: [], uri: "://auth", outcome: .rejected(.schemeMissing)),
    ]

    @Test("The table of MSAL for iOS and macOS", arguments: rows)
    func table(row: Row) {
        #expect(Outcome(rules(row.schemes, bypassed: row.bypassed).verify(row.uri)) == row.outcome)
    }

    @Test("Without a client ID there is no legacy default")
    func noClientID() {
        #expect(RedirectURIRules.legacyDefaultURI(clientID: "") == nil)
        #expect(RedirectURIRules.legacyDefaultURI(clientID: " ") == nil)
        #expect(RedirectURIRules.legacyDefaultURI(clientID: "clientId") == "msalclientId://auth")
        #expect(Outcome(rules(["msal"], client: "").verify(nil)) == .rejected(.schemeNotRegistered))
    }

    @Test(
        "All broker schemes must be listed as query schemes",
        arguments: [
            (["myotherscheme", "msauthv2", "msauthv3"], []),
            (["msauthv2", "msauthv-wrong"], ["msauthv3"]),
            ([], ["msauthv2", "msauthv3"]),
        ])
    func querySchemes(listed: [String], missing: [String]) {
        #expect(rules([], queries: listed).missingBrokerQuerySchemes == missing)
    }
}

@Suite("Redirect URIs: reasons against a broker")
struct BrokerObstacleTests {
    static let rows: [(String, RedirectURIRejection.Reason?)] = [
        ("", .blank),
        ("https://fakeurl.contoso.com", .httpScheme),
        ("http://fakeurl.contoso.com", .httpScheme),
        ("msauth.\(bundle)://auth", nil),
        ("myscheme://\(bundle)", nil),
        ("https://\(bundle)", nil),
        (bundle, .schemeMissing),
        ("myscheme://", .hostMissing),
        ("msauth.\(bundle)://", .authHostMissing),
        ("msauth.other://auth", .bundleIdentifierMismatch),
        ("://auth", .schemeMissing),
        ("urn:ietf:wg:oauth:2.0:oob", .outOfBand),
        ("myscheme://other", .unknownFormat),
    ]

    @Test("The table of MSAL for iOS and macOS", arguments: rows)
    func table(uri: String, obstacle: RedirectURIRejection.Reason?) {
        #expect(rules([]).brokerObstacle(uri) == obstacle)
    }
}

@Suite("Redirect URIs: rules for one authority")
struct RedirectURIJudgementTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var authority: String
        var schemes: [String]
        var uri: String?
        var bundle = "test.bundle.identifier"
        var bypassed = false
        fileprivate var outcome: Outcome
        var testDescription: String {
            "\(uri ?? "none") at \(authority) with \(schemes)\(bypassed ? ", bypassed" : "")"
        }
    }

    static let common = "https://login.microsoftonline.com/common"
    static let contoso = "https://login.microsoftonline.com/contoso.com"
    static let consumers = "https://login.microsoftonline.com/consumers"
    static let b2c = "https://signin.contoso.com/tfp/contoso.onmicrosoft.com/policy"
    static let legacy = "msalmsidclient"

    static let rows: [Row] = [
        Row(authority: contoso, schemes: ["msauth.\(bundle)"], outcome: .capable("msauth.\(bundle)://auth")),
        Row(
            authority: contoso, schemes: ["msauth.mycustom.redirect"],
            uri: "msauth.mycustom.redirect://bundle_id://auth", bundle: "mycustom.redirect://bundle_id",
            outcome: .capable("msauth.mycustom.redirect://bundle_id://auth")),
        Row(authority: common, schemes: [], bypassed: true, outcome: .incapable("msauth.\(bundle)://auth")),
        Row(
            authority: common, schemes: ["unsupportedScheme"], uri: "unsupportedScheme://auth",
            outcome: .rejected(.unknownFormat)),
        Row(authority: common, schemes: [], uri: "https://example.com", outcome: .rejected(.httpScheme)),
        Row(authority: common, schemes: ["myapp"], uri: "myapp://", outcome: .rejected(.hostMissing)),
        Row(authority: consumers, schemes: ["myapp"], uri: "myapp://", outcome: .incapable("myapp://")),
        Row(authority: b2c, schemes: ["myapp"], uri: "myapp://", outcome: .incapable("myapp://")),
        Row(authority: common, schemes: [], outcome: .rejected(.schemeNotRegistered)),
        Row(
            authority: contoso, schemes: ["mycustom.redirect"], uri: "mycustom.wrong.redirect://bundle_id",
            outcome: .rejected(.schemeNotRegistered)),
        Row(authority: common, schemes: [], uri: "invalid_uri", outcome: .rejected(.schemeMissing)),
        Row(authority: common, schemes: [], uri: "invalid_uri", bypassed: true, outcome: .incapable("invalid_uri")),
        Row(
            authority: common, schemes: [], uri: "https://abc.com", bypassed: true,
            outcome: .incapable("https://abc.com")),
        // MSAL for iOS and macOS fails here without an error.
        Row(authority: contoso, schemes: [legacy], outcome: .rejected(.unknownFormat)),
        Row(authority: consumers, schemes: [legacy], outcome: .incapable("msalmsidclient://auth")),
        Row(
            authority: common, schemes: ["msauth.other"], uri: "msauth.other://auth",
            outcome: .rejected(.bundleIdentifierMismatch)),
        Row(
            authority: common, schemes: ["msauth.\(bundle)"], uri: "msauth.\(bundle)://",
            outcome: .rejected(.authHostMissing)),
        Row(
            authority: common, schemes: ["urn"], uri: "urn:ietf:wg:oauth:2.0:oob", outcome: .rejected(.outOfBand)),
    ]

    @Test("The table of MSAL for iOS and macOS", arguments: rows)
    func table(row: Row) throws {
        let rules = rules(row.schemes, bundle: row.bundle, bypassed: row.bypassed)
        #expect(Outcome(rules.judge(row.uri, for: try authority(row.authority))) == row.outcome)
    }

    @Test(
        "http on this computer replaces the URL handler",
        arguments: [
            "http://localhost", "http://localhost/", "http://localhost:8400/callback", "http://127.0.0.1",
            "http://127.0.0.1:1/a/b", "http://[::1]", "http://[::1]:65535/x", "HTTP://LOCALHOST:1",
            "http://127.0.0.2/back",
        ])
    func loopback(uri: String) throws {
        let judgement = rules([]).judge(uri, for: try authority(Self.common))
        guard case .accepted(let redirect) = judgement else {
            Issue.record("\(judgement)")
            return
        }
        #expect(redirect.kind == .loopback)
        #expect(!redirect.isBrokerCapable)
        #expect(redirect.url.isLoopback)
    }

    @Test(
        "http on a host that only resembles this computer does not",
        arguments: [
            "http://localhost.example.com", "http://localhost@example.com", "http://example.com/localhost",
            "http://127.0.0.1.example.com", "http://[::2]", "http://0.0.0.0", "http://localhost:99999",
            "http://localhost:x", "http://me@localhost", "http://127.0.0.256", "http://2130706433",
        ])
    func notLoopback(uri: String) throws {
        guard case .rejected = rules([]).judge(uri, for: try authority(Self.common)) else {
            Issue.record("accepted \(uri)")
            return
        }
    }
}

@Suite("Redirect URIs: error texts")
struct RedirectURIRejectionTests {
    private static let common = "https://login.microsoftonline.com/common"

    @Test("Name the scheme, the place to register it and the expected URI")
    func unregistered() throws {
        guard case .rejected(let rejection) = rules(["other"]).verify("mine://auth") else {
            Issue.record("accepted")
            return
        }
        let text = rejection.explanation + rejection.nextStep
        for part in [
            "\"mine\"", "mine://auth", "CFBundleURLTypes › CFBundleURLSchemes", "Info.plist", "msauth.\(bundle)://auth",
        ] {
            #expect(text.contains(part), "lacks \(part): \(text)")
        }
    }

    @Test("Of the default URI quote the default scheme and URI")
    func unregisteredDefault() {
        guard case .rejected(let rejection) = rules([]).verify(nil) else {
            Issue.record("accepted")
            return
        }
        #expect(rejection.explanation.contains("\"msauth.\(bundle)\""))
        #expect(rejection.explanation.contains("\"msauth.\(bundle)://auth\""))
    }

    @Test("Without a bundle identifier the default is http://localhost", arguments: [false, true])
    func defaultWithoutBundle(isBypassed: Bool) throws {
        let rules = RedirectURIRules(
            clientID: "client", registration: AppRegistration(bundleIdentifier: ""), isBypassed: isBypassed)
        guard case .accepted(let redirect) = rules.judge(nil, for: try authority(Self.common)) else {
            Issue.record("rejected")
            return
        }
        #expect(redirect.url.absoluteString == "http://localhost")
        #expect(redirect.kind == .loopback)
    }

    @Test(
        "Every URI that an error suggests is accepted once its scheme is registered",
        arguments: ["mine://auth", "https://example.com", "msauth.other://auth", "://x", "a://b#c"], ["", bundle])
    func proposals(uri: String, bundle: String) throws {
        let registration = AppRegistration(bundleIdentifier: bundle)
        var rules = RedirectURIRules(clientID: "client", registration: registration)
        guard case .rejected(let rejection) = rules.judge(uri, for: try authority(Self.common)) else {
            Issue.record("accepted \(uri)")
            return
        }
        rules.registration.urlSchemes = [RedirectURIRules.defaultScheme(bundle)]
        let proposed = rejection.nextStep.matches(of: #/[a-z][a-z.]*:\/\/[a-z.]+/#).map { String($0.output) }
            .filter { $0 != uri }
        #expect(!proposed.isEmpty)
        for proposal in proposed {
            guard case .accepted = rules.judge(proposal, for: try authority(Self.common)) else {
                Issue.record("\(proposal) is rejected: \(rejection.nextStep)")
                return
            }
        }
        #expect(!rejection.nextStep.contains("msauth.:"))
    }

    @Test("Keep the expected URI, whose scheme is missing in Info.plist")
    func expectedURI() throws {
        let authority = try authority(RedirectURIJudgementTests.common)
        guard case .rejected(let rejection) = rules(["myapp"]).judge("msauth.\(bundle)://auth", for: authority) else {
            Issue.record("accepted")
            return
        }
        #expect(rejection.nextStep.hasPrefix("Keep this URI, add its scheme \"msauth.\(bundle)\" to Info.plist"))
    }

    @Test("Always name a URI that works", arguments: RedirectURIRejection.Reason.allCases)
    func allReasons(reason: RedirectURIRejection.Reason) throws {
        let uris: [RedirectURIRejection.Reason: String] = [
            .hasFragment: "a://b#", .badPort: "http://localhost:99999", .schemeNotRegistered: "a://b",
            .httpScheme: "https://example.com",
            .bundleIdentifierMismatch: "msauth.other://auth", .authHostMissing: "msauth.other://",
            .schemeMissing: "x y",
            .outOfBand: "urn:ietf:wg:oauth:2.0:oob", .hostMissing: "myapp://", .unknownFormat: "myapp://other",
        ]
        // A blank URI means the default, so no check of a whole URI has these reasons.
        guard let uri = uris[reason] else { return #expect([.blank, .buildSetting].contains(reason)) }
        let authority = try authority(RedirectURIJudgementTests.common)
        let registered = rules(["myapp", "msauth.other", "urn"])
        guard case .rejected(let rejection) = registered.judge(uri, for: authority) else {
            Issue.record("accepted \(uri)")
            return
        }
        #expect(rejection.reason == reason)
        guard reason != .badPort else { return }
        #expect(rejection.nextStep.contains("msauth.\(bundle)://auth"))
        #expect(rejection.nextStep.contains("CFBundleURLTypes › CFBundleURLSchemes"))
    }

    private func rejection(_ uri: String, of rules: RedirectURIRules) throws -> RedirectURIRejection {
        guard case .rejected(let rejection) = rules.verify(uri) else { throw Accepted() }
        return rejection
    }

    private struct Accepted: Error {}

    @Test(
        "Name the port if it is wrong",
        arguments: [
            ("http://localhost:99999", "99999"), ("localhost:99999", "99999"), ("http://127.0.0.1:x/back", "x"),
            ("[::1]:65536", "65536"), ("https://example.com:-1", "-1"),
        ])
    func port(uri: String, port: String) throws {
        let rejection = try self.rejection(uri, of: rules([]))
        #expect(rejection.reason == .badPort)
        #expect(rejection.explanation.contains("\"\(port)\""))
        #expect(rejection.nextStep.contains("port"))
    }

    @Test("A host without a scheme is not a scheme", arguments: ["localhost:8400", "127.0.0.1:8400/back", "[::1]:1"])
    func bareHost(uri: String) throws {
        #expect(try rejection(uri, of: rules([])).reason == .schemeMissing)
    }

    @Test(
        "Name the letter case if nothing else differs",
        arguments: [
            ("myapp://auth/Back", ["MyApp"], "MyApp://auth/Back"),
            ("MSAUTH.\(bundle)://auth", ["msauth.\(bundle)"], "msauth.\(bundle)://auth"),
        ])
    func letterCase(uri: String, schemes: [String], expected: String) throws {
        let rejection = try self.rejection(uri, of: rules(schemes))
        #expect(rejection.explanation.contains("letter case"))
        #expect(rejection.nextStep == "Write \"\(expected)\".")
    }

    @Test(
        "Name a small difference to the application's own URI",
        arguments: [
            ("msauth.\(bundle)://auth/", "a \"/\" at its end"),
            ("msauth.\(bundle)://auth/back?x", "the path \"/back\""),
            ("msauth.\(bundle)://auth?a=b", "a query"), ("msauth.\(bundle)://auth:80", "a port"),
            ("msauth.\(bundle)://other", "the host \"other\" instead of \"auth\""),
            ("msauth.\(bundle)://Auth/", "a \"/\" at its end"),
        ])
    func difference(uri: String, words: String) throws {
        let authority = try authority(RedirectURIJudgementTests.common)
        guard case .rejected(let rejection) = rules(["msauth.\(bundle)"]).judge(uri, for: authority) else {
            Issue.record("accepted")
            return
        }
        #expect(rejection.explanation.contains(" has \(words). "), "\(rejection.explanation)")
        #expect(rejection.nextStep == "Write \"msauth.\(bundle)://auth\".")
        guard case .rejected(let other) = rules([]).verify(uri) else {
            Issue.record("accepted")
            return
        }
        #expect(other.explanation == rejection.explanation)
        #expect(other.nextStep.hasPrefix("Use \"msauth.\(bundle)://auth\", add its scheme \"msauth.\(bundle)\""))
    }

    @Test(
        "Name the placeholder of an instruction",
        arguments: [
            "[BUNDLE_ID]", "<bundle-id>", "{bundle_id}", "$(PRODUCT_BUNDLE_IDENTIFIER)", "Your_Bundle_Id",
            "$(PRODUCT_BUNDLE_IDENTIFIER:rfc1034identifier)",
        ])
    func placeholder(text: String) throws {
        let rejection = try self.rejection("msauth.\(text)://auth", of: rules(["msauth.\(bundle)"]))
        #expect(rejection.explanation.contains("has \"\(text)\" in the place of the bundle identifier"))
        #expect(rejection.nextStep == "Write \"msauth.\(bundle)://auth\".")
    }

    @Test(
        "Of another application name no difference",
        arguments: ["msauth.other://auth/", "myapp://auth/", "msauth.\(bundle)"])
    func noDifference(uri: String) {
        #expect(rules([]).difference(of: uri) == nil)
    }

    @Test("Mention Info.plist only for an application that has one")
    func withoutInfoPlist() throws {
        var rules = rules(["other"])
        rules.registration.hasInfoPlist = false
        let rejection = try self.rejection("mine://auth", of: rules)
        #expect(!(rejection.explanation + rejection.nextStep).contains("plist"))
        #expect(!rejection.nextStep.contains("CFBundle"))
        #expect(rejection.nextStep.contains("http://localhost"))
    }

    @Test("Have the code of MSAL for iOS and macOS", arguments: RedirectURIRejection.Reason.allCases)
    func code(reason: RedirectURIRejection.Reason) {
        let code = RedirectURIRejection(reason: reason, uri: "a", scheme: "", bundleIdentifier: bundle)
            .internalErrorCode
        let others: [RedirectURIRejection.Reason: Int] = [
            .hasFragment: -42008, .schemeNotRegistered: -42001, .schemeMissing: -42001, .buildSetting: -42001,
        ]
        #expect(code == others[reason] ?? -42011)
    }

    @Test("Differ for each reason")
    func distinct() {
        let texts = RedirectURIRejection.Reason.allCases.map {
            RedirectURIRejection(reason: $0, uri: "a://b", scheme: "a", bundleIdentifier: bundle).explanation
        }
        #expect(Set(texts).count == RedirectURIRejection.Reason.allCases.count)
    }
}

@Suite("Redirect URIs: the Info.plist of an Xcode project")
struct RedirectURIBuildSettingTests {
    private static let setting = "$(PRODUCT_BUNDLE_IDENTIFIER)"

    private func accepts(_ uri: String?, _ identifier: String, _ schemes: [String]) -> Outcome {
        Outcome(rules(schemes, bundle: identifier).verify(uri))
    }

    @Test(
        "A URI tells what replaces the build setting",
        arguments: [
            (setting, "msauth.\(setting)"), ("${PRODUCT_BUNDLE_IDENTIFIER}", "msauth.${PRODUCT_BUNDLE_IDENTIFIER}"),
            ("com.example.$(PRODUCT_NAME:rfc1034identifier)", "msauth.com.example.$(PRODUCT_NAME:rfc1034identifier)"),
            (setting, "msauth.${PRODUCT_BUNDLE_IDENTIFIER:rfc1034identifier}"), (setting, "msauth.com.example.app"),
        ])
    func implied(identifier: String, scheme: String) throws {
        let uri = "msauth.com.example.app://auth"
        #expect(accepts(uri, identifier, [scheme]) == .capable(uri))
        let rules = rules([scheme], bundle: identifier)
        #expect(
            Outcome(rules.judge(uri, for: try authority("https://login.microsoftonline.com/common"))) == .capable(uri))
    }

    @Test("A scheme tells it too")
    func impliedByScheme() {
        #expect(accepts(nil, Self.setting, ["msauth.com.example.app"]) == .capable("msauth.com.example.app://auth"))
    }

    @Test("Without either, the build setting is named")
    func unknown() {
        #expect(accepts(nil, Self.setting, ["msauth.\(Self.setting)"]) == .rejected(.buildSetting))
        guard case .rejected(let rejection) = rules([], bundle: Self.setting).verify(nil) else {
            Issue.record("accepted")
            return
        }
        #expect(rejection.explanation.contains("the build setting \"\(Self.setting)\""))
        #expect(!rejection.nextStep.contains(Self.setting))
        #expect(accepts("http://localhost", Self.setting, []) == .incapable("http://localhost"))
    }

    @Test("Another application's URI doesn't fit")
    func other() throws {
        let rules = rules(["msauth.org.other"], bundle: "com.example.$(PRODUCT_NAME)")
        #expect(
            Outcome(
                rules.judge("msauth.org.other://auth", for: try authority("https://login.microsoftonline.com/common")))
                == .rejected(.bundleIdentifierMismatch))
    }
}

@Suite("Redirect URIs: URLs that are responses")
struct RedirectURICallbackTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var redirect: String
        var kind: RedirectURI.Kind
        var callback: String
        var isAnswer: Bool
        var testDescription: String { "\(callback) for \(redirect)" }
    }

    static let rows: [Row] = [
        Row(redirect: "scheme://host", kind: .customScheme, callback: "schemenotmatch://host", isAnswer: false),
        Row(redirect: "scheme://host", kind: .customScheme, callback: "scheme://hostnotmatch", isAnswer: false),
        Row(redirect: "scheme://host", kind: .customScheme, callback: "scheme://host", isAnswer: true),
        Row(redirect: "scheme://host", kind: .customScheme, callback: "SCHEME://HOST/x?code=1", isAnswer: true),
        Row(redirect: "http://localhost:81", kind: .loopback, callback: "http://localhost:81/?code=1", isAnswer: true),
        Row(redirect: "http://localhost:81", kind: .loopback, callback: "http://localhost:82/?code=1", isAnswer: false),
        Row(redirect: "http://localhost:81", kind: .loopback, callback: "http://127.0.0.1:81/?code=1", isAnswer: false),
        Row(
            redirect: "http://localhost:81/a", kind: .loopback, callback: "http://localhost:81/b?code=1",
            isAnswer: false
        ),
        Row(
            redirect: "https://app.example/a", kind: .httpsLink, callback: "https://app.example/a?code=1",
            isAnswer: true
        ),
        Row(redirect: "https://app.example/a", kind: .httpsLink, callback: "https://app.example/b", isAnswer: false),
    ]

    @Test("The table of MSAL for iOS and macOS, and rows of this project", arguments: rows)
    func table(row: Row) throws {
        let redirect = RedirectURI(
            url: try #require(URL(string: row.redirect)), kind: row.kind, isBrokerCapable: false)
        #expect(redirect.accepts(try #require(URL(string: row.callback))) == row.isAnswer)
    }
}
