import Foundation
import KeyturnCrypto
import OAuthCore

/// A protected resource and the client to get its tokens with, as its metadata describes them (RFC 9728). Not in MSAL
/// for iOS and macOS.
///
/// ``MSALPublicClientApplication/protectedResource(at:challenge:configuration:events:exchanges:requests:)`` finds it.
public struct MSALProtectedResource: Sendable, Equatable {
    /// Where the client ID comes from.
    public enum ClientSource: String, Sendable, Equatable {
        /// The configuration.
        case configuration
        /// The address of a client ID metadata document.
        case document
        /// A registration at the authorization server (RFC 7591).
        case registration
    }

    /// The address as requested.
    public let url: URL
    /// The identifier that requests send as `resource` (RFC 8707).
    public let identifier: String
    /// Whether ``identifier`` is a path above ``url``, which the resource's challenge announced.
    public let isParent: Bool
    /// The issuer of the authorization server.
    public internal(set) var issuer: String
    /// The issuers of the other authorization servers that the metadata names, in its order.
    var otherIssuers: [String] = []
    /// The scopes to request by default.
    public internal(set) var scopes: [String]
    /// The client ID. Empty until a sign-in registers this client or finds its client ID metadata document.
    public internal(set) var clientId: String
    /// The source of the client ID.
    public internal(set) var clientSource = ClientSource.configuration
    /// The redirect URI, or `nil` for the configuration's.
    public internal(set) var redirectUri: String?
    var clientSecret: ClientSecret?
    /// Whether the configuration's authority issues the tokens, with its accounts.
    var usesConfiguredAuthority = false
    /// Whether the resource has no metadata, and its origin is its authorization server (MCP 2025-03-26).
    var isOwnServer = false
    /// Whether the client can request ID tokens.
    var getsIDTokens = true
    /// The scopes of the challenge that applications can't request themselves, such as `openid`.
    var reservedScopes: [String] = []
    /// Whether ``scopes`` are those that the metadata lists, so that an authority may grant fewer. A challenge requires its.
    var offersScopes = false
    var announced = ""
    /// The name of the account. A server without OpenID Connect doesn't return one.
    var accountName: String?
    /// Whether the user hears of a page that can belong to another authority.
    var allowsStrangePages = false
    /// Whether requests send `resource`.
    var isSent = true
    /// The configuration's authority, if its client gets the tokens.
    var grantingAuthority: Authority?
    /// The key of this value in the document cache.
    var key: URL?
    /// The key of the client's registration in the document cache, if it has one.
    var registrationKey: URL?

    private static let mark = "@resource:"

    /// A part of the identifiers of this resource's accounts, which keeps them apart from those of others.
    var mark: String { "\(Self.mark)\(Base64URL.encode(SHA2.sha256(Array(identifier.utf8))).prefix(12))." }

    /// Whether an account with this identifier belongs to a resource, and its tokens to no other one.
    static func owns(_ identifier: String) -> Bool {
        // No other `@` follows. Bytes, because a search of characters is slow among thousands of accounts.
        var identifier = identifier
        return identifier.withUTF8 { bytes in
            bytes.lastIndex(of: UInt8(ascii: "@")).map { bytes[$0...].starts(with: mark.utf8) } ?? false
        }
    }

    /// The username of an account without a name: host, port and path.
    var title: String { String(identifier.drop { $0 != "/" }.drop { $0 == "/" }) }

    /// Whether the username of an account was chosen on this computer, because no server gave one.
    func isNamedHere(_ account: MSALAccount?) -> Bool {
        guard let name = account?.username else { return false }
        let claims = account?.accountClaims ?? [:]
        return !["preferred_username", "email", "sub"].contains { claims[$0] as? String == name }
    }

    init(
        url: URL, identifier: String, isParent: Bool, issuer: String, scopes: [String], clientId: String,
        announced: String
    ) {
        (self.url, self.identifier, self.isParent, self.issuer) = (url, identifier, isParent, issuer)
        (self.scopes, self.clientId, self.announced) = (scopes, clientId, announced)
    }

    /// The JSON in the document cache, which is encrypted like the tokens.
    var json: JSONValue {
        let members: [String: JSONValue] = [
            "url": .string(url.absoluteString), "resource": .string(identifier), "parent": .bool(isParent),
            "issuer": .string(issuer), "scopes": .array(scopes.map(JSONValue.string)), "client_id": .string(clientId),
            "client_source": .string(clientSource.rawValue), "redirect_uri": redirectUri.map(JSONValue.string) ?? .null,
            "configured": .bool(usesConfiguredAuthority), "announced": .string(announced),
            "id_tokens": .bool(getsIDTokens), "scopes_offered": .bool(offersScopes),
            "reserved_scopes": .array(reservedScopes.map(JSONValue.string)), "own_server": .bool(isOwnServer),
        ]
        return .object(members.merging(clientSecret?.members ?? [:]) { $1 })
    }

    init?(_ json: JSONValue?) {
        guard let json, let url = json["url"]?.string.flatMap({ URL(string: $0) }), let issuer = json["issuer"]?.string,
            let identifier = json["resource"]?.string, let clientID = json["client_id"]?.string,
            let source = json["client_source"]?.string.flatMap(ClientSource.init)
        else { return nil }
        self.init(
            url: url, identifier: identifier, isParent: json["parent"] == true, issuer: issuer,
            scopes: json["scopes"]?.array?.compactMap(\.string) ?? [], clientId: clientID,
            announced: json["announced"]?.string ?? "")
        clientSource = source
        redirectUri = json["redirect_uri"]?.string
        clientSecret = ClientSecret(json)
        usesConfiguredAuthority = json["configured"] == true
        getsIDTokens = json["id_tokens"] == true
        offersScopes = json["scopes_offered"] == true
        isOwnServer = json["own_server"] == true
        reservedScopes = json["reserved_scopes"]?.array?.compactMap(\.string) ?? []
    }
}
