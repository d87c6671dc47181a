import TerminalUI

/// The keys that the user chose for verbs. The letters keep their meaning, so that texts which name them stay right.
package struct OwnKeys: Sendable, Equatable {
    var keys: [Verb: Key] = [:]

    package init() {}

    /// The keys of a command, the user's first.
    func with(_ letters: [Key]) -> [Key] { letters.compactMap { $0.verb.flatMap { keys[$0] } } + letters }

    /// The letter that a key stands for, or else the key itself.
    func meaning(of key: Key) -> Key { keys.first { $0.value == key }?.key.key ?? key }
}
