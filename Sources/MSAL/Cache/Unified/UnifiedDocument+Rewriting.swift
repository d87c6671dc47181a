import OAuthCore

extension UnifiedDocument {
    /// Creates the entry that replaces others. Members outside the schema keep their bytes, and the key is computed
    /// from all members.
    static func slot(
        _ members: [String: JSONValue], in section: UnifiedSection, replacing old: [Slot]
    ) -> Slot {
        var texts = members.mapValues { Array($0.serialized.utf8) }
        for slot in old.sorted(by: { $0.writtenAt < $1.writtenAt }) {
            for member in (try? JSONReader.members(of: slot.json)) ?? [] where !section.describes(member.name) {
                // The record takes precedence for members that it changes.
                let value = try? JSONReader.value(of: slot.json, in: member.value)
                guard members[member.name] == nil || members[member.name] == value else { continue }
                texts[member.name] = Array(slot.json[member.value])
            }
        }
        var json: [UInt8] = [UInt8(ascii: "{")]
        for (index, name) in texts.keys.sorted().enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json += Array(JSONValue.string(name).serialized.utf8) + [UInt8(ascii: ":")] + (texts[name] ?? [])
        }
        json.append(UInt8(ascii: "}"))
        var slot = Slot(key: "", json: json, in: section)
        slot.key = UnifiedKey.text(for: slot.entry?.writtenMembers(in: section) ?? members, in: section)
        return slot
    }
}

extension UnifiedDocument.Slot {
    /// Creates a slot from JSON, without an entry unless it is an object. An unreadable member is left out of the entry
    /// but stays in the JSON.
    init(key: String, json: [UInt8], in section: UnifiedSection) {
        self.key = key
        self.json = json
        entry = (try? JSONReader.members(of: json)).map { members in
            let values = members.compactMap { member in
                (try? JSONReader.value(of: json, in: member.value)).map { (member.name, $0) }
            }
            return UnifiedEntry(Dictionary(values, uniquingKeysWith: { _, last in last }), in: section)
        }
    }

    fileprivate var writtenAt: Double { entry?.writtenAt ?? 0 }
}

extension UnifiedSection {
    private static let schema: Set<String> = [
        "credential_type", "home_account_id", UnifiedEnvironment.hostMember, UnifiedEnvironment.portMember, "client_id",
        "realm", "secret", "family_id", "token_type", "kid", "key_id", "keyid", "ext_cache_key", "local_account_id",
        "username", "authority_type",
    ]

    /// Whether a member describes the credential itself, and so is outdated in a newer one.
    ///
    /// Excludes a refresh token's `target`, because MSAL Python finds the entry to replace by it.
    fileprivate func describes(_ member: String) -> Bool {
        switch self {
        case .accountMetadata: true
        case .accessToken: member == "target" || Self.schema.contains(member) || UnifiedNumbers.names.contains(member)
        case .refreshToken, .idToken, .account, .appMetadata:
            Self.schema.contains(member) || UnifiedNumbers.names.contains(member)
        }
    }
}
