import OAuthCore

extension UnifiedDocument {
    /// Makes the changes that lead from one document to another, except where this document has changed since. Compares
    /// values, because each library formats them differently. Returns whether this document changed.
    package mutating func merge(_ new: UnifiedDocument, since old: UnifiedDocument) -> Bool {
        let (before, after, here) = (old.parts, new.parts, parts)
        let changed = Self.changes(from: before, to: after).filter { Self.isSame(here[$0], before[$0]) }
        for place in changed.sorted() { set(place, to: after[place]) }
        return !changed.isEmpty
    }

    /// Whether none of the changes that lead from one document to another is here, as after a save by a program that had
    /// read the old one. A program that had read the new one, and removed an account, leaves some.
    package func lacks(_ new: UnifiedDocument, since old: UnifiedDocument) -> Bool {
        let (before, after, here) = (old.parts, new.parts, parts)
        return Self.changes(from: before, to: after).allSatisfy { Self.isSame(here[$0], before[$0]) }
    }

    private static func changes(from old: [Place: [UInt8]], to new: [Place: [UInt8]]) -> [Place] {
        Set(old.keys).union(new.keys).filter { !isSame(old[$0], new[$0]) }
    }

    /// The place of an entry, or of a root member that isn't a map of the schema.
    private struct Place: Hashable, Comparable {
        var member: String
        var key: String?

        static func < (left: Place, right: Place) -> Bool {
            (left.member, left.key ?? "") < (right.member, right.key ?? "")
        }
    }

    private var parts: [Place: [UInt8]] {
        var parts: [Place: [UInt8]] = [:]
        for member in members {
            switch member.content {
            case .section(_, let slots):
                for slot in slots { parts[Place(member: member.name, key: slot.key)] = slot.json }
            case .other(let json): parts[Place(member: member.name)] = json
            }
        }
        return parts
    }

    private static func isSame(_ left: [UInt8]?, _ right: [UInt8]?) -> Bool {
        guard left != right else { return true }
        guard let left, let right, let value = try? JSONValue(parsing: left) else { return false }
        return value == (try? JSONValue(parsing: right))
    }

    private mutating func set(_ place: Place, to json: [UInt8]?) {
        guard let key = place.key, let section = UnifiedSection(spelled: place.member) else {
            members.removeAll { $0.name == place.member }
            if let json { members.append(Member(name: place.member, content: .other(json: json))) }
            return
        }
        let index = members.firstIndex { $0.name == place.member } ?? members.count
        if index == members.count { members.append(Member(name: place.member, content: .section(section, []))) }
        var slots = members[index].slots.filter { $0.key != key }
        if let json { slots.append(Slot(key: key, json: json, in: section)) }
        members[index].content = .section(section, slots)
    }
}
