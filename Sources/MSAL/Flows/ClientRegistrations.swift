import Foundation
import KeyturnCrypto
import OAuthCore

/// What happened since a client last signed in with its registration, and says that the server may have forgotten it.
enum RegistrationDoubt: String, Sendable, Equatable {
    /// No response came to a sign-in: a server shows an unknown client's user an error, and doesn't return.
    case unanswered
    case rejected
    /// The server rejected a code or token. One that forgot everything may look at these first.
    case grantRejected

    /// Whether to register anew without asking the server about the client.
    var isStrong: Bool { self != .grantRejected }
}

/// The registrations of this client at authorization servers (RFC 7591), in the document cache: one for each issuer and
/// fixed redirect URI. A registration belongs to several resources, so a failure of one only marks it. The next
/// sign-in replaces it if needed. What earlier sign-ins found keeps its own client, and so its tokens.
struct ClientRegistrations {
    let documents: OwnDocuments

    struct Entry: Equatable {
        var client: ClientRegistration
        var doubt: RegistrationDoubt?
    }

    func entry(_ key: URL) throws -> Entry? {
        guard let json = try documents.load(key), let clientID = json["client_id"]?.string,
            let redirectURI = json["redirect_uri"]?.string
        else { return nil }
        let client = ClientRegistration(
            clientID: clientID, redirectURI: redirectURI, getsIDTokens: json["id_tokens"] == true,
            secret: ClientSecret(json),
            secretExpiry: json["client_secret_expires_at"]?.double.map { Date(timeIntervalSince1970: $0) })
        let doubt = json["doubt"]?.string.flatMap(RegistrationDoubt.init)
        // The server rejects a client with an expired secret, so it isn't asked first.
        let hasExpired = client.secretExpiry.map { $0 <= documents.time.now() } ?? false
        return Entry(client: client, doubt: hasExpired ? .rejected : doubt)
    }

    func save(_ entry: Entry, _ key: URL) throws { try documents.save(Self.json(entry), key) }

    /// Writes as much as a new registration can need, so that one that can't be stored isn't made.
    func makeRoom(_ key: URL) throws {
        var members = try entry(key).map(Self.json)?.object ?? [:]
        // For an ID and a secret.
        members["room"] = .string(String(repeating: " ", count: 2 * ClientRegistration.maximumIDLength))
        try documents.save(.object(members), key)
    }

    /// Forgets the registration of a client, but not one that has replaced it.
    func forget(_ clientID: String, _ key: URL) throws {
        if try entry(key)?.client.clientID == clientID { try documents.save(nil, key) }
    }

    /// Marks the registration of a client, or with `nil` trusts it. A strong doubt isn't weakened.
    func mark(_ clientID: String, _ doubt: RegistrationDoubt?, _ key: URL) throws {
        guard var entry = try entry(key), entry.client.clientID == clientID, entry.doubt != doubt,
            doubt?.isStrong != false || entry.doubt?.isStrong != true
        else { return }
        entry.doubt = doubt
        try save(entry, key)
    }

    private static func json(_ entry: Entry) -> JSONValue {
        var members: [String: JSONValue] = [
            "client_id": .string(entry.client.clientID), "redirect_uri": .string(entry.client.redirectURI),
            "id_tokens": .bool(entry.client.getsIDTokens),
        ]
        members["client_secret_expires_at"] = entry.client.secretExpiry.map { JSONValue(Int($0.timeIntervalSince1970)) }
        members["doubt"] = entry.doubt.map { .string($0.rawValue) }
        members.merge(entry.client.secret?.members ?? [:]) { $1 }
        return .object(members)
    }
}

extension ClientSecret {
    /// The members of a document in the cache, which is encrypted like the tokens.
    var members: [String: JSONValue] {
        ["client_secret": .string(value.reveal()), "token_endpoint_auth_method": .string(method.rawValue)]
    }

    init?(_ document: JSONValue) {
        guard let value = document["client_secret"]?.string,
            let method = document["token_endpoint_auth_method"]?.string.flatMap(Method.init)
        else { return nil }
        self.init(Secret(value), method)
    }
}

/// JSON documents that this client writes itself, in the document cache.
struct OwnDocuments {
    let cache: any DocumentCache
    let time: any TimeSource

    init(_ dependencies: Dependencies) { (cache, time) = (dependencies.documents, dependencies.time) }

    /// The key of a document. Not a URL that anything could fetch.
    static func key(_ kind: String, _ names: [String]) -> URL? {
        let digest = SHA2.sha256(Array(names.joined(separator: "\n").utf8)).hexadecimal
        return URL(string: "\(start(of: kind))\(digest)")
    }

    private static func start(of kind: String) -> String { "urn:keyturn:\(kind):" }

    func all(of kind: String) throws -> [(key: URL, document: JSONValue)] {
        try AuthenticationFailure.ofStore(try cache.urls(beginning: Self.start(of: kind))).compactMap { key in
            try load(key).map { (key: key, document: $0) }
        }
    }

    func load(_ key: URL) throws -> JSONValue? {
        try AuthenticationFailure.ofStore(try cache.load(key)).flatMap { try? JSONValue(parsing: $0.body) }
    }

    func save(_ json: JSONValue?, _ key: URL) throws {
        let document = json.map { CachedDocument(body: Array($0.serialized.utf8), fetchedAt: time.now()) }
        try AuthenticationFailure.ofStore(try cache.save(document, for: key))
    }
}

extension ResponseFailure {
    /// Some servers send an unknown client an error page, but so does a proxy: the next sign-in asks the server.
    var registrationDoubt: RegistrationDoubt? {
        switch endpoint {
        case .instanceDiscovery, .discovery, .keys, .userInfo, .registration, .revocation, .identityAssertion,
            .assertion:
            return nil
        case .authorization, .pushedAuthorization, .codeRedemption, .refresh, .deviceAuthorization, .devicePolling:
            break
        }
        switch rejection?.standardError {
        case "invalid_client", "unauthorized_client": return .rejected
        case "invalid_grant": return status == 401 ? .rejected : .grantRejected
        case nil: return status == 400 || status == 401 ? .grantRejected : nil
        default: return status == 401 ? .rejected : nil
        }
    }
}

extension FlowContext {
    /// Marks the registration. A failure to do so must not hide the failure that led here.
    func doubtRegistration(_ doubt: RegistrationDoubt?) {
        guard let doubt, let key = settings.resource?.registrationKey else { return }
        try? ClientRegistrations(documents: OwnDocuments(dependencies)).mark(settings.clientID, doubt, key)
    }

    /// After a sign-in, trusts the registration, and finds the resource's tokens by the client that has them.
    func keepResource() throws {
        guard let resource = settings.resource, let key = resource.key else { return }
        let documents = OwnDocuments(dependencies)
        if try documents.load(key) != resource.json { try documents.save(resource.json, key) }
        guard let key = resource.registrationKey else { return }
        try ClientRegistrations(documents: documents).mark(settings.clientID, nil, key)
    }
}
