import Console
import Diagnosis
import Foundation
import JSON
import MSAL
import TerminalUI

/// Reads a configuration and collects all its mistakes.
package struct ConfigurationReader {
    private let lines: TextLines
    private var mistakes: [ConfigurationMistake] = []

    private init(lines: TextLines) { self.lines = lines }

    package static func read(_ text: String, file: String) throws(ConfigurationError) -> Configuration {
        let root: LocatedJSON
        do { root = try LocatedJSON(parsing: text) } catch {
            let problem = "invalid JSON: \(error.problem) (column \(error.column))"
            let mistake = ConfigurationMistake(line: error.line, key: "", problem: problem, remedy: error.remedy)
            throw ConfigurationError(file: file, mistakes: [mistake])
        }
        // The offsets are those after a byte order mark.
        var reader = ConfigurationReader(lines: TextLines(Array(text.drop { $0 == "\u{FEFF}" }.utf8)))
        let configuration = reader.configuration(root)
        let mistakes = reader.mistakes.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
        if !mistakes.isEmpty { throw ConfigurationError(file: file, mistakes: mistakes) }
        return configuration
    }

    private mutating func configuration(_ root: LocatedJSON) -> Configuration {
        let fields = fields(
            of: root, at: "", known: ["$schema", "defaultProfile", "profiles", "carry", "keys", "colors", "commands"])
        _ = anyText(fields["$schema"])
        var configuration = Configuration(defaultProfile: anyText(fields["defaultProfile"]))
        let own = own(fields)
        guard let profiles = fields["profiles"] else {
            if case .object = root.content {
                note(at: root.offset, "profiles", "is missing", "Add \"profiles\": { \"NAME\": { … } }")
            }
            return configuration
        }
        let members = located(profiles.value, at: "profiles")
        if case .object = profiles.value.content, members.isEmpty {
            note(at: profiles.value.offset, "profiles", "no profiles", "Add one: \"NAME\": { \"clientId\": … }")
        }
        for member in members {
            var profile = profile(member.value, name: member.key, at: "profiles.\(member.key)")
            profile.own = own
            configuration.profiles.append(profile)
        }
        let names = configuration.profiles.map(\.name)
        configuration.carry = elements(fields["carry"]).compactMap { carryRule($0, profiles: names) }
        if let name = configuration.defaultProfile, !configuration.profiles.contains(where: { $0.name == name }) {
            let place = fields["defaultProfile"]?.value.offset
            note(at: place, "defaultProfile", "no profile \"\(name)\"", "Use \(choice(of: names))")
        }
        return configuration
    }

    private mutating func profile(_ node: LocatedJSON, name: String, at path: String) -> Profile {
        let known = [
            "clientId", "authority", "authorityType", "endpoints", "knownAuthorities", "redirectUri", "listen",
            "browser", "bundleIdentifier", "infoPlist", "caFile", "scopes", "clientCapabilities",
            "keychainSharingGroup", "method", "cache", "sendResource", "clientMetadata", "clientSecret",
            "extraParameters", "audience", "token", "resources", "managedServers",
        ]
        let fields = fields(of: node, at: path, known: known)
        for key in ["clientId", "authority"] where fields[key] == nil {
            guard case .object = node.content else { break }
            // The URL of its metadata is such a client's ID.
            if key == "clientId", fields["clientMetadata"] != nil { continue }
            note(at: node.offset, "\(path).\(key)", "is missing", Self.remedies[key] ?? "")
        }
        let clientMetadata = clientDocument(fields["clientMetadata"])
        var profile = Profile(
            name: name, clientID: text(fields["clientId"]) ?? clientMetadata?.absoluteString ?? "",
            authority: url(fields["authority"]) ?? Self.unreadableAuthority)
        profile.clientSecret = clientSecret(fields["clientSecret"])
        profile.authorityType = word(fields["authorityType"], standard: "auto")
        if let endpoints = fields["endpoints"] { read(endpoints: endpoints, into: &profile) }
        profile.knownAuthorities = urls(fields["knownAuthorities"])
        profile.redirectURI = redirectURI(fields["redirectUri"]) ?? profile.redirectURI
        if case .object(let members) = node.content,
            members.contains(where: { $0.key == "redirectUri" && $0.value.content == .null })
        {
            profile.redirectURI = nil
        }
        profile.listener = listener(fields["listen"])
        profile.browser = text(fields["browser"])
        profile.bundleIdentifier = text(fields["bundleIdentifier"])
        profile.infoPlist = configuredFile(fields["infoPlist"])
        profile.certificateAuthorityFile = text(fields["caFile"])
        let scopes = self.scopes(fields["scopes"])
        profile.scopes = scopes.withoutAlwaysRequested
        profile.requiredReservedScopes = scopes.alwaysRequested
        profile.extraParameters = extraParameters(fields["extraParameters"])
        profile.audience = text(fields["audience"])
        profile.resources = resources(fields["resources"])
        profile.managedServers = managedServers(fields["managedServers"])
        profile.token = word(fields["token"])
        profile.clientCapabilities = texts(fields["clientCapabilities"])
        profile.keychainSharingGroup = sharingGroup(fields["keychainSharingGroup"])
        profile.sendsResource = flag(fields["sendResource"]) ?? true
        profile.clientMetadata = clientMetadata
        let methods: [SignInMethod] = words(fields["method"])
        profile.method = methods.first
        profile.nextMethods = Array(methods.dropFirst())
        if let cache = fields["cache"] { read(cache: cache, into: &profile) }
        return profile
    }

    private mutating func own(_ fields: [String: Field]) -> OwnSettings {
        var own = OwnSettings()
        texts(of: fields["keys"]) { text, name throws(OwnMistake) in try own.add(text, for: name) }
        texts(of: fields["colors"]) { text, name throws(OwnMistake) in try own.colors.add(text, for: name) }
        for field in elements(fields["commands"]) { add(command: field, to: &own) }
        return own
    }

    private mutating func add(command field: Field, to own: inout OwnSettings) {
        let fields = fields(of: field.value, at: field.path, known: ["key", "title", "argv"])
        for key in ["key", "title", "argv"] { noteMissing(key, in: field, fields) }
        guard let key = fields["key"], let label = text(key), let title = text(fields["title"]),
            let argv = fields["argv"]
        else { return }
        let arguments = elements(argv).compactMap { anyText($0) }
        if arguments.isEmpty { note(argv, "has no program", "Use [\"PROGRAM\", \"ARGUMENT\"]") }
        do { try own.add(command: title, key: label, arguments) } catch { note(error, at: key) }
    }

    private mutating func texts(of field: Field?, _ add: (_ text: String, _ name: String) throws(OwnMistake) -> Void) {
        guard let field else { return }
        for member in located(field.value, at: field.path) where member.value.content != .null {
            let field = Field(path: "\(field.path).\(member.key)", value: member.value)
            guard let text = text(field) else { continue }
            do { try add(text, member.key) } catch { note(error, at: field) }
        }
    }

    private mutating func note(_ mistake: OwnMistake, at field: Field) {
        let column = field.value.offset - lines.start(of: lines.line(of: field.value.offset)) + 1
        note(field, "\(mistake.problem) (column \(column))", mistake.remedy)
    }

    /// The placeholder for an invalid authority, with a mistake noted.
    private static let unreadableAuthority = URL(fileURLWithPath: "/")

    private static let formerKeys = ["way": "method"]

    private static let remedies = [
        "clientId": "Add \"clientId\", the application (client) ID of the registration",
        "authority": "Add \"authority\", the https URL of the authority",
    ]
}

// Validation of members.
extension ConfigurationReader {
    struct Field {
        var path: String
        var value: LocatedJSON
    }

    mutating func note(at offset: Int?, _ key: String, _ problem: String, _ remedy: String) {
        mistakes.append(.init(line: offset.map(lines.line(of:)), key: key, problem: problem, remedy: remedy))
    }

    mutating func note(_ field: Field, _ problem: String, _ remedy: String) {
        note(at: field.value.offset, field.path, problem, remedy)
    }

    func choice(of words: [String]) -> String {
        words.isEmpty
            ? "the name of a profile"
            : words.count == 1 ? "\"\(words[0])\"" : "one of: " + words.joined(separator: ", ")
    }

    /// The members of an object by key. Notes unknown and repeated keys.
    mutating func fields(of node: LocatedJSON, at path: String, known: [String]) -> [String: Field] {
        var fields: [String: Field] = [:]
        for member in located(node, at: path) {
            let key = member.key
            let place = path.isEmpty ? key : "\(path).\(key)"
            guard known.contains(key) else {
                let near = Self.formerKeys[key] ?? nearest(to: key, in: known)
                let remedy = near.map { "Did you mean \"\($0)\"?" } ?? "Known keys: \(known.joined(separator: ", "))"
                note(at: member.offset, place, "unknown key", remedy)
                continue
            }
            // null is the same as a missing key.
            if member.value.content != .null { fields[key] = Field(path: place, value: member.value) }
        }
        return fields
    }

    mutating func located(_ node: LocatedJSON, at path: String) -> [LocatedJSON.Member] {
        guard case .object(let members) = node.content else {
            note(at: node.offset, path, "must be an object, not \(node.kind)", "Use { … }")
            return []
        }
        var seen: Set<String> = []
        for member in members where !seen.insert(member.key).inserted {
            let place = path.isEmpty ? member.key : "\(path).\(member.key)"
            note(at: member.offset, place, "repeated key", "Remove one of them")
        }
        return members
    }

    mutating func anyText(_ field: Field?) -> String? {
        guard let field else { return nil }
        guard case .string(let text) = field.value.content else {
            let isNested =
                switch field.value.content {
                case .object, .array: true
                case .string, .number, .bool, .null: false
                }
            note(
                field, "must be a string, not \(field.value.kind)",
                isNested ? "Use text in double quotes" : "Put it in double quotes")
            return nil
        }
        guard !text.isEmpty else {
            note(field, "is empty", "Add a value or remove the key")
            return nil
        }
        return text
    }

    /// A value without what a copied one can have around it. Names of profiles can be any text.
    mutating func text(_ field: Field?) -> String? {
        guard let field, let text = anyText(field) else { return nil }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            note(field, "has a line break or another control character", "Remove it")
            return nil
        }
        guard text.first?.isWhitespace != true, text.last?.isWhitespace != true else {
            note(field, "begins or ends with a space", "Remove the space")
            return nil
        }
        return text
    }

    /// Scopes in one string are a common mistake, because requests and other programs have them so.
    mutating func scopes(_ field: Field?) -> [String] {
        var scopes: [String] = []
        for element in elements(field) {
            guard let text = text(element) else { continue }
            let names = text.split { $0.isWhitespace || $0 == "," }
            if names.count == 1, names[0].count == text.count {
                scopes.append(text)
            } else {
                let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
                note(element, "\"\(text)\" isn't one scope", "Use \(list)")
            }
        }
        return scopes
    }

    /// Parameters by name. The protocol's own are rejected: each request sets them.
    mutating func extraParameters(_ field: Field?) -> [String: String] {
        guard let field else { return [:] }
        var parameters: [String: String] = [:]
        for member in located(field.value, at: field.path) {
            let (name, place) = (member.key, "\(field.path).\(member.key)")
            if name.isEmpty {
                note(at: member.offset, field.path, "has a parameter without a name", "Add its name")
            } else if MSALPublicClientApplicationConfig.isProtocolParameter(name) {
                note(at: member.offset, place, "belongs to the protocol", "Remove it: each sign-in sets it")
            } else if let text = text(Field(path: place, value: member.value)) {
                parameters[name] = text
            }
        }
        return parameters
    }

    mutating func configuredFile(_ field: Field?) -> ConfiguredFile? {
        guard let field, let path = text(field) else { return nil }
        return ConfiguredFile(path: path, key: field.path, line: lines.line(of: field.value.offset))
    }

    mutating func flag(_ field: Field?) -> Bool? {
        guard let field else { return nil }
        if case .bool(let flag) = field.value.content { return flag }
        note(field, "must be true or false, not \(field.value.kind)", "Use true or false")
        return nil
    }

    /// Whether a client ID can be this address: https with a path, and nothing that servers could read in two ways.
    static func isClientDocument(_ url: URL) -> Bool {
        let path = url.path(percentEncoded: true)
        return url.lowercasedScheme == "https" && url.host()?.isEmpty == false && url.user() == nil && path.count > 1
            && url.query() == nil && url.fragment() == nil
            && !path.split(separator: "/").contains { [".", ".."].contains($0) }
    }

    mutating func clientDocument(_ field: Field?) -> URL? {
        guard let field, let text = text(field) else { return nil }
        if let url = URL(string: text), Self.isClientDocument(url) { return url }
        note(field, "\"\(text)\" is not the URL of a document", "Use https://host/path, without a query")
        return nil
    }

    mutating func elements(_ field: Field?) -> [Field] {
        guard let field else { return [] }
        guard case .array(let elements) = field.value.content else {
            note(field, "must be a list, not \(field.value.kind)", "Use [\"…\"]")
            return []
        }
        return elements.enumerated().map { Field(path: "\(field.path)[\($0)]", value: $1) }
    }

    mutating func texts(_ field: Field?) -> [String] { elements(field).compactMap { text($0) } }

    mutating func urls(_ field: Field?) -> [URL] { elements(field).compactMap { url($0) } }

    mutating func url(_ field: Field?) -> URL? {
        guard let field, let text = text(field) else { return nil }
        do { return try AuthorityURL.read(text) } catch {
            note(field, error.problem, error.remedy)
            return nil
        }
    }

    /// Checks only for a URI. The library checks it against the registration.
    mutating func redirectURI(_ field: Field?) -> String? {
        guard let field, let text = text(field) else { return nil }
        guard let url = URL(string: text), let scheme = url.scheme, !scheme.isEmpty, text.contains(":") else {
            note(field, "\"\(text)\" is not a URI", "Use http://localhost or scheme://host")
            return nil
        }
        return text
    }

    mutating func sharingGroup(_ field: Field?) -> String? {
        guard let field, let text = text(field) else { return nil }
        if MSALCacheConfig.isSharingGroup(text) { return text }
        note(
            field, "\"\(text)\" is invalid: no slash and no initial dot allowed",
            "Use a name such as \"com.contoso.tools\", or a file in \"cache\": { \"path\": … }")
        return nil
    }

    mutating func listener(_ field: Field?) -> MSALLoopbackListener? {
        guard let field, let text = text(field) else { return nil }
        if let listener = MSALLoopbackListener(text) { return listener }
        note(field, "\"\(text)\" is not a port or address", "Use \"8400\", \"8400-8410\" or \"0.0.0.0:8400\"")
        return nil
    }

    mutating func word<Word: RawRepresentable & CaseIterable>(_ field: Field?, standard: String? = nil) -> Word?
    where Word.RawValue == String {
        guard let field, let text = text(field), text != standard else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = [standard].compactMap(\.self) + Word.allCases.map(\.rawValue)
        note(field, "invalid value \"\(text)\"", "Use \(choice(of: words))")
        return nil
    }

    mutating func words<Word: RawRepresentable & CaseIterable>(_ field: Field?) -> [Word]
    where Word.RawValue == String {
        guard let field, case .array = field.value.content else { return [word(field)].compactMap(\.self) }
        return elements(field).compactMap { word($0) }
    }
}
