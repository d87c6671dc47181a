import Console
import Foundation
import JSON
import KeyturnSystem
import MSAL
import TerminalUI

/// The screen's choices between runs: `$XDG_STATE_HOME/keyturn/screen.json`, accessible to its owner only.
///
/// Without a lock: concurrent writes can lose a choice.
struct SavedChoicesFile: Sendable, Equatable {
    let path: String

    init(path: String) { self.path = path }

    init(in environment: [String: String]) { path = BaseDirectory.state(in: environment) + "/keyturn/screen.json" }

    fileprivate struct Choices {
        var scopes: [String]?
        var order: String?
    }

    private struct Document {
        var profiles: [String: Choices] = [:]
        var theme: String?
        var mouse: Bool?

        init() {}

        init(_ json: JSONValue) throws {
            profiles = try json.required("profiles", \.object).mapValues {
                Choices(scopes: try $0.optional("scopes", \.strings), order: try $0.optional("order", \.string))
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
                        ])
                    }),
                "theme": theme.map(JSONValue.string), "mouse": mouse.map(JSONValue.bool),
            ])
        }
    }

    /// Larger files aren't this program's.
    private static let mostBytes = 1 << 18
    fileprivate static let mostScopes = 12

    /// The choices of a profile, or the defaults. `trouble` is the reason if the file is unreadable.
    func read(_ profile: String) -> (savedChoices: SavedChoices, trouble: String?) {
        do {
            return (SavedChoices(try document().profiles[profile] ?? .init()), nil)
        } catch {
            return (SavedChoices(), "Can't read your settings. They are reset: \(path).")
        }
    }

    /// Replaces the choices of the profile, and a damaged file.
    func save(_ choices: SavedChoices, of profile: String) throws {
        var document = (try? document()) ?? Document()
        document.profiles[profile] = .init(scopes: choices.scopes, order: choices.order.rawValue)
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
        do throws(PlainFile.Failure) {
            bytes = try PlainFile.read(path, atMost: Self.mostBytes)
        } catch {
            if error.isMissing { return Document() }
            throw error
        }
        guard bytes.count <= Self.mostBytes else { throw CocoaError(.fileReadTooLarge) }
        return try Document(try JSONValue(parsing: bytes))
    }
}

extension SavedChoices {
    /// The valid choices, as the user can edit the file.
    fileprivate init(_ choices: SavedChoicesFile.Choices) {
        self.init(
            scopes: Array((choices.scopes ?? []).filter(Self.isScope).prefix(SavedChoicesFile.mostScopes)),
            order: choices.order.flatMap(AccountOrder.init) ?? .place)
    }

    private static func isScope(_ text: String) -> Bool { text.utf8.count <= 256 && TokenWish.isScope(text) }
}
