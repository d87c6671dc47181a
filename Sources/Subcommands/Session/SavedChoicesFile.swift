import Foundation
import JSON
import KeyturnSystem
import MSAL
import TerminalUI

/// The user's choices between runs: `$XDG_STATE_HOME/keyturn/screen.json`, accessible to its owner only.
///
/// Without a lock: concurrent writes can lose a choice.
struct SavedChoicesFile: Sendable, Equatable {
    let path: String

    init(path: String) { self.path = path }

    init(in environment: [String: String]) { path = BaseDirectory.state(in: environment) + "/keyturn/screen.json" }

    struct Choices {
        var scopes: [String]?
        var order: String?
        /// The identifier of the default account (``DefaultAccount``).
        var account: String?
    }

    private struct Document {
        var profiles: [String: Choices] = [:]
        var theme: String?
        var mouse: Bool?

        init() {}

        init(_ json: JSONValue) throws {
            profiles = try json.required("profiles", \.object).mapValues {
                Choices(
                    scopes: try $0.optional("scopes", \.strings), order: try $0.optional("order", \.string),
                    account: try $0.optional("account", \.string))
            }
            theme = try json.optional("theme", \.string)
            mouse = try json.optional("mouse", \.bool)
        }

        var json: JSONValue {
            JSONValue(members: [
                "profiles": .object(
                    profiles.mapValues {
                        JSONValue(members: [
                            "scopes": $0.scopes.map { JSONValue($0) }, "order": $0.order.map(JSONValue.string),
                            "account": $0.account.map(JSONValue.string),
                        ])
                    }),
                "theme": theme.map(JSONValue.string), "mouse": mouse.map(JSONValue.bool),
            ])
        }
    }

    /// Larger files aren't this program's.
    private static let mostBytes = 1 << 18

    /// The choices of a profile. Throws if the file is unreadable.
    func choices(of profile: String) throws -> Choices { try document().profiles[profile] ?? .init() }

    /// Changes the choices of the profile, and replaces a damaged file.
    func change(_ profile: String, _ change: (inout Choices) -> Void) throws {
        var document = (try? document()) ?? Document()
        change(&document.profiles[profile, default: .init()])
        try write(document)
    }

    func rename(_ profile: String, to name: String) throws {
        guard var document = try? document(), let choices = document.profiles.removeValue(forKey: profile) else {
            return
        }
        document.profiles[name] = choices
        try write(document)
    }

    /// The theme and the use of the mouse in the last run, or the defaults.
    var display: ScreenDisplay {
        let document = try? document()
        return ScreenDisplay(
            theme: document?.theme.flatMap(ScreenTheme.init) ?? .standard, usesMouse: document?.mouse ?? false)
    }

    func save(_ display: ScreenDisplay) throws {
        var document = (try? document()) ?? Document()
        (document.theme, document.mouse) = (display.theme.rawValue, display.usesMouse)
        try write(document)
    }

    private func write(_ document: Document) throws {
        try ExportedFile(path: path, replaces: true).writeMakingFolder(Data(document.json.prettyPrinted.utf8))
    }

    private func document() throws -> Document {
        let bytes: [UInt8]
        do { bytes = try PlainFile.read(path, atMost: Self.mostBytes) } catch {
            if error.isMissing { return Document() }
            throw error
        }
        guard bytes.count <= Self.mostBytes else { throw CocoaError(.fileReadTooLarge) }
        return try Document(try JSONValue(parsing: bytes))
    }
}
