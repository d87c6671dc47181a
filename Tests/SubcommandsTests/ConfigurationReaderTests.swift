import Console
import Foundation
import MSAL
import Testing

@testable import Subcommands

@Suite("Configuration")
struct ConfigurationReaderTests {
    /// A file with one profile, whose members are `lines`, the first on line 3.
    static func file(_ lines: String...) -> String {
        "{ \"profiles\": {\n  \"contoso\": {\n" + lines.joined(separator: "\n") + "\n} } }"
    }

    static let clientID = "\"clientId\": \"1111\","
    static let authority = "\"authority\": \"https://login.microsoftonline.com/contoso.com\""

    @Test("A complete profile")
    func wholeProfile() throws {
        let text = """
            { "defaultProfile": "contoso",
              "profiles": { "contoso": {
                  "clientId": "11111111-2222-3333-4444-555555555555",
                  "authority": "https://login.example.org/tenant", "authorityType": "oidc",
                  "knownAuthorities": ["https://login.example.org/tenant"],
                  "redirectUri": "msauth.org.keyturn.app://auth", "bundleIdentifier": "org.example.app",
                  "infoPlist": null, "scopes": ["User.Read", "Mail.Read"],
                  "clientCapabilities": ["CP1"], "keychainSharingGroup": "shared", "method": "browser",
                  "extraParameters": { "kc_idp_hint": "github" }, "audience": "https://api.example",
                  "resources": { "https://mcp.example": ["Mail.Read"] },
                  "managedServers": { "https://mcp.example": { "authority": "https://auth.example", "clientId": "c",
                                      "clientSecret": { "file": "/run/secret" } } },
                  "clientSecret": { "command": ["pass", "show"] },
                  "sendResource": false, "clientMetadata": "https://client.example/keyturn.json",
                  "cache": { "kind": "encrypted", "key": "passphrase", "passphraseFile": "/run/passphrase",
                             "previousPassphraseFile": "/run/before" } },
                "other": { "clientId": "2", "authority": "http://127.0.0.1:8080/common" } } }
            """
        let configuration = try ConfigurationReader.read(text, file: "config.json")
        let authority = try #require(URL(string: "https://login.example.org/tenant"))
        var profile = Profile(
            name: "contoso", clientID: "11111111-2222-3333-4444-555555555555", authority: authority)
        profile.authorityType = .oidc
        profile.knownAuthorities = [authority]
        profile.redirectURI = "msauth.org.keyturn.app://auth"
        profile.bundleIdentifier = "org.example.app"
        profile.scopes = ["User.Read", "Mail.Read"]
        profile.clientCapabilities = ["CP1"]
        profile.keychainSharingGroup = "shared"
        profile.method = .browser
        profile.extraParameters = ["kc_idp_hint": "github"]
        profile.audience = "https://api.example"
        profile.resources = [try #require(URL(string: "https://mcp.example")): ["Mail.Read"]]
        profile.managedServers = [
            try #require(URL(string: "https://mcp.example")): ManagedServer(
                authority: try #require(URL(string: "https://auth.example")), clientID: "c",
                clientSecret: .file("/run/secret"))
        ]
        profile.clientSecret = .command(["pass", "show"])
        profile.sendsResource = false
        profile.clientMetadata = URL(string: "https://client.example/keyturn.json")
        profile.cacheKey = .passphrase
        profile.cachePassphraseFile = "/run/passphrase"
        profile.cachePreviousPassphraseFile = "/run/before"
        #expect(configuration.defaultProfile == "contoso")
        #expect(configuration.profiles.map(\.name) == ["contoso", "other"])
        #expect(configuration.profile(named: nil) == profile)
        #expect(configuration.profile(named: "other")?.redirectURI == "http://localhost")
        #expect(configuration.profile(named: "none") == nil)
    }

    @Test("A redirect URI of null is the library's default")
    func defaultRedirectURI() throws {
        let text = Self.file(Self.clientID, "\"redirectUri\": null,", Self.authority)
        let profile = try #require(try ConfigurationReader.read(text, file: "c").profile(named: nil))
        #expect(profile.redirectURI == nil)
    }

    @Test("Scopes that are always requested may be listed")
    func alwaysRequestedScopes() throws {
        let scopes = "\"scopes\": [\"openid\", \"User.Read\", \"OpenID\", \"profile\", \"email\", \"offline_access\"]"
        let text = Self.file(Self.clientID, Self.authority + ",", scopes)
        let profile = try #require(try ConfigurationReader.read(text, file: "c").profile(named: nil))
        #expect(profile.scopes == ["User.Read", "email"])
        #expect(profile.requiredReservedScopes == ["openid", "OpenID", "profile", "offline_access"])
    }

    @Test("All profiles have the keys and colours of the terminal program")
    func keys() throws {
        let text =
            "{ \"keys\": { \"copy\": \"Ctrl-K\" }, \"colors\": { \"key\": \"bold blue\" }, "
            + Self.file(Self.clientID, Self.authority).dropFirst()
        let profile = try #require(try ConfigurationReader.read(text, file: "c").profile(named: nil))
        var own = OwnSettings()
        try own.add("Ctrl-K", for: "copy")
        try own.colors.add("bold blue", for: "key")
        #expect(profile.own == own && profile.shown().own == own)
    }

    @Test("A byte order mark is ignored")
    func byteOrderMark() throws {
        let text = "\u{FEFF}" + Self.file(Self.clientID, Self.authority)
        #expect(try ConfigurationReader.read(text, file: "c").profiles.count == 1)
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationReader.read("\u{FEFF}{\n\"a\": 1, \"profiles\": {} }", file: "c")
        }
        #expect(error?.mistakes.map(\.line) == [2, 2])
    }

    @Test("Without a default, the only profile is used")
    func onlyProfile() throws {
        let configuration = try ConfigurationReader.read(Self.file(Self.clientID, Self.authority), file: "c")
        #expect(configuration.profile(named: nil)?.name == "contoso")
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var messages: [String]
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ messages: String...) {
            self.name = name
            self.text = text
            self.messages = messages
        }
    }

    static let mistakes = [
        Mistake(
            "empty file", "",
            "c:1: invalid JSON: the file ends here (column 1). "
                + "Add a value: a string in quotes, a number, true, false, null, [ or {."),
        Mistake(
            "comma before a brace", "{\n  \"profiles\": {},\n}",
            "c:3: invalid JSON: comma before '}' (column 1). Remove the last comma."),
        Mistake(
            "missing comma", "{ \"defaultProfile\": \"a\"\n  \"profiles\": {} }",
            "c:2: invalid JSON: unexpected '\"' (column 3). "
                + "Add a comma, or '}' to end the object."),
        Mistake(
            "comment", "// mine\n{}",
            "c:1: invalid JSON: JSON has no comments (column 1). Remove the comment."),
        Mistake(
            "bare word", "{ \"defaultProfile\": contoso }",
            "c:1: invalid JSON: 'contoso' is not a JSON value (column 21). "
                + "Put a string in double quotes: \"contoso\"."),
        Mistake(
            "not an object", "[]", "c:1: must be an object, not a list. Use { … }."),
        Mistake(
            "no profiles", "\n{}", "c:2: profiles: is missing. Add \"profiles\": { \"NAME\": { … } }."),
        Mistake(
            "empty profiles", "{ \"profiles\": {} }",
            "c:1: profiles: no profiles. Add one: \"NAME\": { \"clientId\": … }."),
        Mistake(
            "two commands on one key",
            "{ \"keys\": { \"copy\": \"#\",\n  \"remove\": \"#\", \"coppy\": \"#\", \"sort\": 1 }, "
                + file(clientID, authority).dropFirst(),
            "c:2: keys.remove: \"#\" is the key of copy, too (column 13). Choose another key.",
            "c:2: keys.coppy: unknown command (column 27). Did you mean \"copy\"?",
            "c:2: keys.sort: must be a string, not a number. Put it in double quotes."),
        Mistake(
            "unknown key", file(clientID, "\"authorty\": \"x\",", authority),
            "c:4: profiles.contoso.authorty: unknown key. Did you mean \"authority\"?"),
        Mistake(
            "key twice", file(clientID, clientID, authority),
            "c:4: profiles.contoso.clientId: repeated key. Remove one of them."),
        Mistake(
            "missing keys", file(),
            "c:2: profiles.contoso.clientId: is missing. "
                + "Add \"clientId\", the application (client) ID of the registration.",
            "c:2: profiles.contoso.authority: is missing. "
                + "Add \"authority\", the https URL of the authority."),
        Mistake(
            "wrong type", file("\"clientId\": 7,", authority),
            "c:3: profiles.contoso.clientId: must be a string, not a number. Put it in double quotes."),
        Mistake(
            "empty text", file("\"clientId\": \"\",", authority),
            "c:3: profiles.contoso.clientId: is empty. Add a value or remove the key."),
        Mistake(
            "no list", file(clientID, authority + ",", "\"scopes\": \"User.Read\""),
            "c:5: profiles.contoso.scopes: must be a list, not a string. Use [\"…\"]."),
        Mistake(
            "wrong element", file(clientID, authority + ",", "\"scopes\": [\"a\",\n true]"),
            "c:6: profiles.contoso.scopes[1]: must be a string, not true or false. Put it in double quotes."),
        Mistake(
            "no address", file(clientID, "\"authority\": \"contoso.com\""),
            "c:4: profiles.contoso.authority: \"contoso.com\" is not a URL. "
                + "Enter the whole URL, for example https://login.example.org/tenant."),
        Mistake(
            "http elsewhere", file(clientID, "\"authority\": \"http://login.example.org\""),
            "c:4: profiles.contoso.authority: \"http://login.example.org\" is not encrypted. "
                + "Use https: http works only on this computer."),
        Mistake(
            "unknown type", file(clientID, authority + ",", "\"authorityType\": \"azure\""),
            "c:5: profiles.contoso.authorityType: invalid value \"azure\". "
                + "Use one of: auto, aad, b2c, ciam, oidc, oauth."),
        Mistake(
            "no redirect URI", file(clientID, authority + ",", "\"redirectUri\": \"localhost\""),
            "c:5: profiles.contoso.redirectUri: \"localhost\" is not a URI. Use http://localhost or scheme://host."),
        Mistake(
            "unknown method", file(clientID, authority + ",", "\"method\": \"pigeon\""),
            "c:5: profiles.contoso.method: invalid value \"pigeon\". Use one of: browser, paste, device, broker."
        ),
        Mistake(
            "a key of an earlier version", file(clientID, authority + ",", "\"way\": \"browser\""),
            "c:5: profiles.contoso.way: unknown key. Did you mean \"method\"?"
        ),
        Mistake(
            "unknown method in a list", file(clientID, authority + ",", "\"method\": [\"broker\",\n\"pigeon\"]"),
            "c:6: profiles.contoso.method[1]: invalid value \"pigeon\". "
                + "Use one of: browser, paste, device, broker."),
        Mistake(
            "cache", file(clientID, authority + ",", "\"cache\": { \"kind\": \"plain\",\n \"file\": 1 }"),
            "c:5: profiles.contoso.cache.kind: invalid value \"plain\". Use one of: encrypted, unified.",
            "c:6: profiles.contoso.cache.file: unknown key. Known keys: kind, path, key, passphraseFile, "
                + "previousPassphraseFile."),
        Mistake(
            "sharing group that leaves the folder",
            file(clientID, authority + ",", "\"keychainSharingGroup\": \"../x\""),
            "c:5: profiles.contoso.keychainSharingGroup: \"../x\" is invalid: no slash and no initial dot "
                + "allowed. Use a name such as \"com.contoso.tools\", or a file in \"cache\": { \"path\": … }."),
        Mistake(
            "shared cache without a file", file(clientID, authority + ",", "\"cache\": { \"kind\": \"unified\" }"),
            "c:5: profiles.contoso.cache.path: is missing. Add the path of the shared file."),
        Mistake(
            "default that is none",
            "{ \"defaultProfile\": \"b\",\n\"profiles\": { \"a\": {\(clientID)\(authority)} } }",
            "c:1: defaultProfile: no profile \"b\". Use \"a\"."),
    ]

    @Test("Each mistake has its line, its key and a correction", arguments: mistakes)
    func mistake(_ row: Mistake) {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationReader.read(row.text, file: "c")
        }
        #expect(error?.messages == row.messages)
    }

    @Test(
        "One method, or several in order",
        arguments: [
            ("\"device\"", [.device]), ("[\"broker\", \"browser\", \"device\"]", [.broker, .browser, .device]),
            ("[]", []), ("null", []),
        ] as [(String, [SignInMethod])])
    func methods(text: String, methods: [SignInMethod]) throws {
        let file = Self.file(Self.clientID, Self.authority + ",", "\"method\": \(text)")
        let profile = try #require(try ConfigurationReader.read(file, file: "c").profiles.first)
        #expect(profile.methods == methods)
        #expect(try profile.application().configuration.linuxBrokerEnabled == methods.contains(.broker))
    }

    @Test("All mistakes are reported at once, in the order of the file")
    func allAtOnce() {
        let text = Self.file("\"scopes\": 1,", "\"clientId\": 2,", "\"wat\": 3")
        let error = #expect(throws: ConfigurationError.self) { try ConfigurationReader.read(text, file: "c") }
        #expect(error?.mistakes.map(\.line) == [2, 3, 4, 5])
    }
}
