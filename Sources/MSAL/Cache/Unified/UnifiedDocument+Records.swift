import OAuthCore

extension UnifiedDocument {
    /// The usable records, ordered by key.
    package var records: [CredentialRecord] {
        var best: [CredentialKey: Candidate] = [:]
        for section in UnifiedSection.allCases {
            for slot in slots(of: section) {
                guard let entry = slot.entry else { continue }
                for key in entry.identities {
                    let candidate = Candidate(slot.key, entry, key, in: section)
                    if best[key].map({ $0.isBetter(than: candidate) }) != true { best[key] = candidate }
                }
            }
        }
        return best.values.map(\.record).sorted { $0.key < $1.key }
    }

    private func slots(of section: UnifiedSection) -> [Slot] {
        members.flatMap { member in
            guard case .section(section, let slots) = member.content else { return [Slot]() }
            return slots
        }
    }

    private func record(_ key: CredentialKey) -> CredentialRecord? {
        guard let section = UnifiedSection(key.kind) else { return nil }
        return slots(of: section).compactMap { slot in
            slot.entry.flatMap { $0.identities.contains(key) ? Candidate(slot.key, $0, key, in: section) : nil }
        }.max { $1.isBetter(than: $0) }?.record
    }

    /// The number of entries that this library can't use and leaves unchanged.
    package var unusedEntries: Int {
        members.reduce(0) { $0 + $1.slots.count { $0.entry?.identities.isEmpty ?? true } }
    }

    package mutating func apply(_ changes: [CredentialChange]) {
        let saved = changes.compactMap { change in
            if case .save(let record) = change { record.key.withoutPort } else { nil }
        }
        for change in changes {
            switch change {
            case .save(let record): save(record)
            // A record that is deleted and saved is rewritten, which keeps its other members.
            case .delete(let key): if !saved.contains(key.withoutPort) { delete(key) }
            }
        }
        for change in changes {
            guard case .save(let record) = change, record.signInState == .signedOut else { continue }
            removeAccountWithoutTokens(record.key.homeAccountID)
        }
    }

    private mutating func save(_ record: CredentialRecord) {
        guard let section = UnifiedSection(record.key.kind) else { return }
        let members = UnifiedEntry(record.members, in: section).writtenMembers(in: section)
        let key = UnifiedKey.text(for: members, in: section)
        // MSAL Python uses one key for the family's token and the client's own, so one entry serves as both.
        let isInFamilyEntry =
            section == .refreshToken && members["family_id"]?.string?.isEmpty != false
            && slots(of: section).contains { slot in
                slot.key == key && slot.entry?.members["family_id"]?.string?.isEmpty == false
                    && slot.entry?.members["secret"] == members["secret"]
            }
        guard !isInFamilyEntry else { return }
        let client = members["client_id"]?.string?.lowercased()
        let own = record.key.withoutPort
        let replaced = remove(from: section) { other in
            // A family token that was issued to another client stays.
            other.key == key
                || other.entry?.identities.contains {
                    $0.homeAccountID == own.homeAccountID && $0.withoutPort == own
                } == true
                    && (record.key.kind != .refreshToken || other.entry?.clientID == client)
        }
        add(Self.slot(members, in: section, replacing: replaced), to: section)
    }

    /// Removes the account entry with the last token, because other libraries list every account that has one.
    private mutating func removeAccountWithoutTokens(_ homeAccountID: String) {
        func isOfAccount(_ slot: Slot) -> Bool { slot.entry?.members["home_account_id"]?.string == homeAccountID }
        let tokens: [UnifiedSection] = [.accessToken, .refreshToken, .idToken]
        guard !tokens.contains(where: { slots(of: $0).contains(where: isOfAccount) }) else { return }
        remove(from: .account, where: isOfAccount)
    }

    private mutating func delete(_ key: CredentialKey) {
        guard let section = UnifiedSection(key.kind) else { return }
        let client = record(key)?.members["client_id"]?.string?.lowercased()
        remove(from: section) { slot in
            guard let entry = slot.entry, entry.identities.contains(key) else { return false }
            return key.kind != .refreshToken || entry.clientID == client
        }
    }

    @discardableResult
    private mutating func remove(from section: UnifiedSection, where isRemoved: (Slot) -> Bool) -> [Slot] {
        var removed: [Slot] = []
        for index in members.indices {
            guard case .section(section, let slots) = members[index].content else { continue }
            let (staying, leaving) = slots.reduce(into: ([Slot](), [Slot]())) { parts, slot in
                isRemoved(slot) ? parts.1.append(slot) : parts.0.append(slot)
            }
            removed += leaving
            members[index].content = .section(section, staying)
        }
        return removed
    }

    /// Adds to the map with the exact name, the only one that other libraries read.
    private mutating func add(_ slot: Slot, to section: UnifiedSection) {
        guard let index = members.firstIndex(where: { $0.name == section.rawValue }) else {
            return members.append(Member(name: section.rawValue, content: .section(section, [slot])))
        }
        members[index].content = .section(section, members[index].slots + [slot])
    }
}

/// An entry for a key. Libraries that spell keys, clients or scopes differently leave several.
private struct Candidate {
    let record: CredentialRecord
    private let slotKey: String
    private let entry: UnifiedEntry
    private let section: UnifiedSection

    init(_ slotKey: String, _ entry: UnifiedEntry, _ key: CredentialKey, in section: UnifiedSection) {
        record = entry.record(key)
        (self.slotKey, self.entry, self.section) = (slotKey, entry, section)
    }

    /// Prefers the newest entry, then one whose first key it is, then this library's key, then a lower-case key.
    private var rank: (Double, Int, Int, Int) {
        (
            entry.writtenAt, entry.identities.first == record.key ? 1 : 0,
            slotKey == UnifiedKey.text(for: entry.writtenMembers(in: section), in: section) ? 1 : 0,
            slotKey == slotKey.lowercased() ? 1 : 0
        )
    }

    func isBetter(than other: Candidate) -> Bool { rank > other.rank }
}

extension CredentialKey {
    /// The key without the port, which the schema doesn't have.
    fileprivate var withoutPort: CredentialKey {
        var key = self
        key.environment = UnifiedEnvironment(environment).withoutPort
        return key
    }
}

extension UnifiedDocument {
    /// The entry that replaces others. Members outside the schema keep their bytes.
    static func slot(_ members: [String: JSONValue], in section: UnifiedSection, replacing old: [Slot]) -> Slot {
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
    /// Without an entry unless the JSON is an object. The entry lacks unreadable members, which stay in the JSON.
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

    /// Whether a member describes the credential itself, and so is outdated in a newer one. Excludes a refresh token's
    /// `target`, because MSAL Python finds the entry to replace by it.
    fileprivate func describes(_ member: String) -> Bool {
        switch self {
        case .accountMetadata: true
        case .accessToken: member == "target" || Self.schema.contains(member) || UnifiedNumbers.names.contains(member)
        case .refreshToken, .idToken, .account, .appMetadata:
            Self.schema.contains(member) || UnifiedNumbers.names.contains(member)
        }
    }
}
