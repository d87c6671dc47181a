import OAuthCore

extension UnifiedDocument {
    /// What this library can use of it, by identity and in the order of identities.
    package var records: [CredentialRecord] {
        var best: [CredentialKey: Candidate] = [:]
        for section in UnifiedSection.allCases {
            for slot in slots(of: section) {
                guard let entry = slot.entry else { continue }
                for key in entry.identities {
                    let candidate = Candidate(slot.key, entry, key)
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

    /// The entry that counts among those for an identity.
    private func record(_ key: CredentialKey) -> CredentialRecord? {
        (UnifiedSection(key.kind).map(slots) ?? []).compactMap { slot in
            slot.entry.flatMap { $0.identities.contains(key) ? Candidate(slot.key, $0, key) : nil }
        }.max { $1.isBetter(than: $0) }?.record
    }

    /// How many entries there are that this library has no use for: they stay as they are.
    package var unusedEntries: Int {
        members.reduce(0) { count, member in
            guard case .section(_, let slots) = member.content else { return count }
            return count + slots.count { $0.entry?.identities.isEmpty ?? true }
        }
    }

    package mutating func apply(_ changes: [CredentialChange]) {
        for change in changes {
            switch change {
            case .save(let record): save(record)
            case .delete(let key): delete(key)
            }
        }
    }

    private mutating func save(_ record: CredentialRecord) {
        guard let section = UnifiedSection(record.key.kind) else { return }
        let key = UnifiedKey.text(for: record)
        let client = record.members["client_id"]?.string?.lowercased()
        let members = UnifiedEntry(record.members, in: section).members
        let slot = Slot(
            key: key, json: Array(JSONValue.object(members).serialized.utf8),
            entry: UnifiedEntry(members, in: section))
        remove(from: section) { other in
            // A family's token that another of its clients was given is that client's still.
            other.key == key
                || other.entry?.identities.first == record.key
                    && (record.key.kind != .refreshToken || other.entry?.clientID == client)
        }
        add(slot, to: section)
    }

    private mutating func delete(_ key: CredentialKey) {
        guard let section = UnifiedSection(key.kind) else { return }
        let client = record(key)?.members["client_id"]?.string?.lowercased()
        remove(from: section) { slot in
            guard let entry = slot.entry, entry.identities.contains(key) else { return false }
            return key.kind != .refreshToken || entry.clientID == client
        }
    }

    private mutating func remove(from section: UnifiedSection, where isRemoved: (Slot) -> Bool) {
        for index in members.indices {
            guard case .section(section, var slots) = members[index].content else { continue }
            slots.removeAll(where: isRemoved)
            members[index].content = .section(section, slots)
        }
    }

    /// Into the map of the exact name: the others read no other.
    private mutating func add(_ slot: Slot, to section: UnifiedSection) {
        guard let index = members.firstIndex(where: { $0.name == section.rawValue }) else {
            return members.append(Member(name: section.rawValue, content: .section(section, [slot])))
        }
        guard case .section(_, let slots) = members[index].content else {
            return members[index].content = .section(section, [slot])
        }
        members[index].content = .section(section, slots + [slot])
    }
}

/// An entry for an identity, to be compared with others of the same: libraries that spell a key, a client or scopes
/// differently leave twins.
private struct Candidate {
    let record: CredentialRecord
    /// The newest, then the one that is kept for itself, then the one under the key we would write, then the one whose
    /// key is lower-case.
    private let rank: (Double, Int, Int, Int)

    init(_ slotKey: String, _ entry: UnifiedEntry, _ key: CredentialKey) {
        record = entry.record(key)
        rank = (
            entry.writtenAt, entry.identities.first == key ? 1 : 0, slotKey == UnifiedKey.text(for: record) ? 1 : 0,
            slotKey == slotKey.lowercased() ? 1 : 0
        )
    }

    func isBetter(than other: Candidate) -> Bool { rank > other.rank }
}
