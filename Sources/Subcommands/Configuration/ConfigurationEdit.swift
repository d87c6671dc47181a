import Console
import Diagnosis
import Foundation
import JSON

/// A change of the configuration's text. Keeps all other members and their order, and reformats the text.
package enum ConfigurationEdit: Sendable, Equatable {
    /// Adds a profile, or updates the profile `replacing`.
    case save(ProfileDraft, replacing: String?)
    case remove(String)
    case makeDefault(String)

    /// - Parameter text: the file's text; `nil` without a file.
    package func applied(to text: String?) throws(InvalidJSON) -> String {
        var root = try text.map { (text) throws(InvalidJSON) in try LocatedJSON(parsing: text) } ?? .object
        var profiles = root["profiles"] ?? .object
        switch self {
        case .save(let draft, let replaced):
            var profile = replaced.flatMap { profiles[$0] } ?? .object
            profile.apply(draft)
            if let replaced, profiles[replaced] != nil {
                profiles.rename(replaced, to: draft.name)
                if root["defaultProfile"] == .text(replaced) { root["defaultProfile"] = .text(draft.name) }
            } else if text == nil {
                root["defaultProfile"] = .text(draft.name)
            }
            profiles[draft.name] = profile
        case .remove(let name):
            profiles[name] = nil
            if root["defaultProfile"] == .text(name) { root["defaultProfile"] = nil }
        case .makeDefault(let name): root["defaultProfile"] = .text(name)
        }
        root["profiles"] = profiles
        return root.text
    }
}

extension LocatedJSON {
    fileprivate static let object = LocatedJSON(offset: 0, content: .object([]))

    fileprivate static func text(_ text: String) -> LocatedJSON { LocatedJSON(offset: 0, content: .string(text)) }

    fileprivate static func == (left: LocatedJSON?, right: LocatedJSON) -> Bool { left?.content == right.content }

    /// The value of a member. Appends a new member; `nil` removes it.
    fileprivate subscript(key: String) -> LocatedJSON? {
        get { members.first { $0.key == key }?.value }
        set {
            var members = members
            let place = members.firstIndex { $0.key == key }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(key: key, offset: 0, value: value))
            case (nil, nil): break
            }
            content = .object(members)
        }
    }

    private var members: [Member] {
        guard case .object(let members) = content else { return [] }
        return members
    }

    fileprivate mutating func rename(_ old: String, to new: String) {
        content = .object(members.map { Member(key: $0.key == old ? new : $0.key, offset: $0.offset, value: $0.value) })
    }

    private func isRead(as kind: AuthorityKind, at address: String) -> Bool {
        guard case .string(let word)? = self["authorityType"]?.content, let url = URL(string: address) else {
            return false
        }
        return (AuthorityKind(rawValue: word) ?? AuthorityKind(of: url)) == kind
    }

    /// Updates the members of a draft. Keeps unchanged ones as written.
    fileprivate mutating func apply(_ draft: ProfileDraft) {
        self["clientId"] = .text(draft.clientID)
        self["authority"] = .text(draft.authority)
        if let kind = draft.kind, !isRead(as: kind.authorityKind, at: draft.authority) {
            self["authorityType"] = AuthorityKind(kind, at: draft.authority).map { .text($0.rawValue) }
        }
        if let kind = draft.kind, kind != .oauth { self["endpoints"] = nil }
        // null is the library's default redirect URI.
        if !draft.redirectURI.isEmpty || self["redirectUri"]?.content != .null {
            self["redirectUri"] = .text(draft.redirectURI)
        }
        if !draft.clientSecret.isEmpty {
            let stored = Member(key: "stored", offset: 0, value: LocatedJSON(offset: 0, content: .bool(true)))
            self["clientSecret"] = LocatedJSON(offset: 0, content: .object([stored]))
        }
        self["caFile"] = draft.certificates.isEmpty ? nil : .text(draft.certificates)
        let scopes = draft.scopeList.map(LocatedJSON.text)
        if !scopes.isEmpty || self["scopes"] != nil { self["scopes"] = LocatedJSON(offset: 0, content: .array(scopes)) }
    }
}
