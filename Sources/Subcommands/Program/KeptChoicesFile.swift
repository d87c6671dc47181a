import Console
import Foundation
import POSIX

/// Where the screen's choices are kept from one run to the next: `$XDG_STATE_HOME/keyturn/screen.json`, its owner's only.
///
/// Of two programs that write at the same moment one may undo what the other kept: that costs a key press, so nobody waits.
struct KeptChoicesFile: Sendable, Equatable {
    let path: String

    init(path: String) { self.path = path }

    init(in environment: [String: String]) { path = BaseDirectory.state(in: environment) + "/keyturn/screen.json" }

    fileprivate struct Choices: Codable {
        var scopes: [String]?
        var order: String?
    }

    private struct Document: Codable {
        var profiles: [String: Choices] = [:]
    }

    /// What is longer was not written by this program.
    private static let mostBytes = 1 << 18
    fileprivate static let mostScopes = 12

    /// The choices of a profile; those of a new one when nothing was kept, or nothing that can be read: `trouble` says so.
    func read(_ profile: String) -> (kept: KeptChoices, trouble: String?) {
        do {
            return (KeptChoices(try document().profiles[profile] ?? .init()), nil)
        } catch {
            return (KeptChoices(), "Can't read the choices of your last run. They are reset: \(path).")
        }
    }

    /// Replaces what was kept of the profile. A damaged file is made anew.
    func keep(_ choices: KeptChoices, of profile: String) throws {
        var document = (try? document()) ?? Document()
        document.profiles[profile] = .init(scopes: choices.scopes, order: choices.order.rawValue)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try ExportedFile(path: path, replaces: true).writeMakingFolder(try encoder.encode(document))
    }

    private func document() throws -> Document {
        let bytes: [UInt8]
        do throws(PlainFile.Failure) {
            bytes = try PlainFile.read(path, atMost: Self.mostBytes)
        } catch {
            if error.isMissing { return Document() }
            throw error
        }
        guard bytes.count <= Self.mostBytes else { throw CocoaError(.fileReadTooLarge) }
        return try JSONDecoder().decode(Document.self, from: Data(bytes))
    }
}

extension KeptChoices {
    /// Only what could have been kept: the file is the person's, and may have been edited.
    fileprivate init(_ choices: KeptChoicesFile.Choices) {
        self.init(
            scopes: Array((choices.scopes ?? []).filter(Self.isScope).prefix(KeptChoicesFile.mostScopes)),
            order: choices.order.flatMap(AccountOrder.init) ?? .place)
    }

    /// RFC 6749 §3.3, `scope-token`; nobody's are longer.
    private static func isScope(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 256
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
}
