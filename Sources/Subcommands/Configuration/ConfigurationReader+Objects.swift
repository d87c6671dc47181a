import Diagnosis
import Foundation
import JSON
import MSAL

extension ConfigurationReader {
    mutating func resources(_ field: Field?) -> [URL: [String]] { servers(field) { $0.scopes($1) } }

    mutating func managedServers(_ field: Field?) -> [URL: ManagedServer] {
        servers(field) { reader, field in
            let fields = reader.fields(
                of: field.value, at: field.path, known: ["authority", "clientId", "clientSecret"])
            for key in ["authority", "clientId"] { reader.noteMissing(key, in: field, fields) }
            let secret = reader.clientSecret(fields["clientSecret"], canBeStored: false)
            guard let authority = reader.url(fields["authority"]), let id = reader.text(fields["clientId"]) else {
                return nil
            }
            return ManagedServer(authority: authority, clientID: id, clientSecret: secret)
        }.compactMapValues(\.self)
    }

    mutating func carryRule(_ field: Field, profiles: [String]) -> CarryRule? {
        let fields = fields(
            of: field.value, at: field.path,
            known: ["host", "profile", "account", "scopes", "resources", "ask", "signIn"])
        noteMissing("host", in: field, fields)
        if fields["scopes"] == nil, fields["signIn"] == nil { noteMissing("resources", in: field, fields) }
        var rule = CarryRule(host: text(fields["host"]) ?? "", profile: anyText(fields["profile"]))
        rule.account = text(fields["account"])
        rule.scopes = scopes(fields["scopes"]).withoutAlwaysRequested
        rule.resources = urls(fields["resources"])
        rule.question = word(fields["ask"])
        rule.opensSignIns = flag(fields["signIn"]) ?? false
        if let place = fields["profile"], let name = rule.profile, !profiles.contains(name) {
            note(place, "no profile \"\(name)\"", "Use \(choice(of: profiles))")
        }
        return rule
    }

    private mutating func servers<Value>(
        _ field: Field?, _ read: (inout ConfigurationReader, Field) -> Value
    ) -> [URL: Value] {
        guard let field else { return [:] }
        var servers: [URL: Value] = [:]
        for member in located(field.value, at: field.path) {
            let (offset, place) = (member.offset, "\(field.path).\(member.key)")
            let value = read(&self, Field(path: place, value: member.value))
            guard let url = URL(string: member.key), url.isSecureOrigin, ["", "/"].contains(url.path()),
                url.query() == nil
            else {
                note(at: offset, place, "is not the origin of a server", "Use https://HOST, without a path")
                continue
            }
            guard !servers.keys.contains(where: { $0.origin == url.origin }) else {
                note(at: offset, place, "is the same server as another member", "Keep one of them")
                continue
            }
            servers[url] = value
        }
        return servers
    }

    /// A secret itself is rejected: copies of the file are given away.
    mutating func clientSecret(_ field: Field?, canBeStored: Bool = true) -> ClientSecretSource? {
        guard let field else { return nil }
        let others = "Use { \"file\": \"PATH\" }, or \"environment\" or \"command\""
        if case .string = field.value.content {
            note(
                field, "a secret doesn't belong in this file",
                canBeStored ? "Use { \"stored\": true } and run 'keyturn sign-in --enter-client-secret'" : others)
            return nil
        }
        let fields = fields(of: field.value, at: field.path, known: ["file", "environment", "command", "stored"])
        guard case .object(let members) = field.value.content, fields.count == members.count else { return nil }
        guard fields.count == 1 else {
            note(
                field, "must have one member",
                canBeStored ? "Use \"file\", \"environment\", \"command\" or \"stored\"" : others)
            return nil
        }
        if let command = fields["command"] {
            let words = texts(command)
            guard !words.isEmpty else {
                note(command, "has no program", "Use [\"PROGRAM\", \"ARGUMENT\"]")
                return nil
            }
            return .command(words)
        }
        if let stored = fields["stored"] {
            if !canBeStored { note(field, "can't be stored for a server", others) }
            if flag(stored) == false { note(stored, "must be true", "Remove clientSecret if the client has none") }
            return .stored
        }
        return text(fields["file"]).map(ClientSecretSource.file)
            ?? text(fields["environment"]).map(ClientSecretSource.environment)
    }

    mutating func read(endpoints field: Field, into profile: inout Profile) {
        let fields = fields(
            of: field.value, at: field.path,
            known: ["authorization", "token", "device", "revocation", "account", "accountMember"])
        guard profile.authorityType == .oauth else {
            note(field, "is for servers without OpenID Connect", "Add \"authorityType\": \"oauth\", or remove the key")
            return
        }
        switch (url(fields["authorization"]), url(fields["token"])) {
        case (let authorization?, let token?):
            profile.endpoints.addresses = .init(
                authorization: authorization, token: token, deviceAuthorization: url(fields["device"]),
                revocation: url(fields["revocation"]))
        case (nil, nil) where fields["device"] == nil && fields["revocation"] == nil: break
        case (nil, _): noteMissing("authorization", in: field, fields)
        case (_, nil): noteMissing("token", in: field, fields)
        }
        switch (url(fields["account"]), text(fields["accountMember"])) {
        case (let account?, let member?): profile.endpoints.account = .init(url: account, member: member)
        case (nil, nil): break
        case (nil, _): noteMissing("account", in: field, fields)
        case (_, nil): noteMissing("accountMember", in: field, fields)
        }
    }

    /// An endpoint that others need. A wrong one is noted already.
    mutating func noteMissing(_ key: String, in field: Field, _ fields: [String: Field]) {
        guard fields[key] == nil else { return }
        note(at: field.value.offset, "\(field.path).\(key)", "is missing", "Add it, or remove those that belong to it")
    }

    mutating func read(cache field: Field, into profile: inout Profile) {
        let fields = fields(
            of: field.value, at: field.path, known: ["kind", "path", "key", "passphraseFile", "previousPassphraseFile"])
        profile.cacheKind = word(fields["kind"]) ?? .encrypted
        profile.cacheFile = text(fields["path"])
        if profile.cacheKind == .unified, fields["path"] == nil {
            note(at: field.value.offset, "\(field.path).path", "is missing", "Add the path of the shared file")
        }
        profile.cacheKey = word(fields["key"]) ?? .automatic
        profile.cachePassphraseFile = text(fields["passphraseFile"])
        profile.cachePreviousPassphraseFile = text(fields["previousPassphraseFile"])
    }
}
