import Foundation
import OAuthCore

/// The encoding of digests in the store: JSON, which leaves out what is false, empty or unknown.
extension AccountDigest {
    /// Increment this whenever the encoding or the content of digests changes.
    private static let version = 7

    /// The form of a client's digests.
    package static func form(client: String) -> DigestForm<AccountDigest> {
        DigestForm(
            name: "accounts \(version) \(client)", make: { AccountDigest($0, client: client) },
            standIn: { standIn(for: $0, $1) },
            encode: { Array(JSONValue.array($0.map(\.json)).serialized.utf8) }, decode: digests(in:))
    }

    private static func digests(in bytes: [UInt8]) -> [AccountDigest]? {
        guard let values = (try? JSONValue(parsing: bytes))?.array else { return nil }
        let digests = values.compactMap(AccountDigest.init)
        return digests.count == values.count ? digests : nil
    }

    private var json: JSONValue {
        .object(
            members([
                ("id", .string(homeAccountID)), ("signedIn", flag(isSignedIn)), ("signedOut", flag(isSignedOut)),
                ("tokens", tokens?.json), ("user", person?.json), ("authorities", list(authorities)),
            ]))
    }

    private init?(_ json: JSONValue) {
        guard let homeAccountID = json["id"]?.string else { return nil }
        self.homeAccountID = homeAccountID
        isSignedIn = json["signedIn"] == true
        isSignedOut = json["signedOut"] == true
        tokens = json["tokens"].map(MSALCachedTokens.init)
        if let person = json["user"] {
            guard let person = Person(person) else { return nil }
            self.person = person
        }
        authorities = texts(json["authorities"])
    }
}

extension MSALCachedTokens {
    fileprivate var json: JSONValue {
        .object(
            members([
                ("expires", expiresOn.map { .number($0.timeIntervalSinceReferenceDate) }),
                ("canRefresh", flag(canRefresh)), ("ofOther", flag(isFromOtherApplication)),
            ]))
    }

    fileprivate init(_ json: JSONValue) {
        self.init(
            expiresOn: json["expires"]?.double.map(Date.init(timeIntervalSinceReferenceDate:)),
            canRefresh: json["canRefresh"] == true,
            isFromOtherApplication: json["ofOther"] == true)
    }
}

extension AccountDigest.Person {
    fileprivate var json: JSONValue {
        .object(
            members([
                ("environment", .string(environment)), ("username", username.map(JSONValue.string)),
                ("otherUsernames", list(otherUsernames)), ("name", name.map(JSONValue.string)),
                ("profiles", .array(profiles.map(\.json))),
            ]))
    }

    fileprivate init?(_ json: JSONValue) {
        guard let environment = json["environment"]?.string, let values = json["profiles"]?.array else { return nil }
        let profiles = values.compactMap(AccountDigest.Profile.init)
        guard profiles.count == values.count else { return nil }
        self.init(
            environment: environment, username: json["username"]?.string,
            otherUsernames: texts(json["otherUsernames"]), name: json["name"]?.string, profiles: profiles)
    }
}

extension AccountDigest.Profile {
    fileprivate var json: JSONValue {
        .object(
            members([
                ("realm", .string(realm)), ("localID", localAccountID.map(JSONValue.string)), ("isHome", flag(isHome)),
                ("hasIDToken", flag(hasIDToken)), ("isOpenID", flag(isOpenID)),
            ]))
    }

    fileprivate init?(_ json: JSONValue) {
        guard let realm = json["realm"]?.string else { return nil }
        self.init(
            realm: realm, localAccountID: json["localID"]?.string, isHome: json["isHome"] == true,
            hasIDToken: json["hasIDToken"] == true, isOpenID: json["isOpenID"] == true)
    }
}

private func members(_ members: [(String, JSONValue?)]) -> [String: JSONValue] {
    members.reduce(into: [:]) { $0[$1.0] = $1.1 }
}

private func flag(_ value: Bool) -> JSONValue? { value ? true : nil }

private func list(_ texts: [String]) -> JSONValue? { texts.isEmpty ? nil : .array(texts.map(JSONValue.string)) }

private func texts(_ value: JSONValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }
