import Console
import Foundation
import JSON
import KeyturnSystem
import MSAL
import TerminalUI

/// The user's choices between runs: `$XDG_STATE_HOME/keyturn/screen.json`, accessible to its owner only.
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

    func choices(of profile: String) throws -> Choices { try document().profiles[profile] ?? .init() }

    /// Changes the choices of the profile, and replaces a damaged file.
    func change(_ profile: String, _ change: (inout Choices) -> Void) throws {
        var document = (try? document()) ?? Document()
        change(&document.profiles[profile, default: .init()])
        try write(document)
    }

    /// The screen's choices of a profile, or the defaults. `trouble` is the reason if the file is unreadable.
    func read(_ profile: String) -> (savedChoices: SavedChoices, trouble: String?) {
        do { return (SavedChoices(try choices(of: profile)), nil) } catch {
            return (SavedChoices(), "Can't read your settings. They are reset: \(path).")
        }
    }

    func save(_ choices: SavedChoices, of profile: String) throws {
        try change(profile) { ($0.scopes, $0.order) = (choices.scopes, choices.order.rawValue) }
    }

    func rename(_ profile: String, to name: String) throws {
        guard var document = try? document(), let choices = document.profiles.removeValue(forKey: profile) else {
            return
        }
        document.profiles[name] = choices
        try write(document)
    }

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

/// The default account of a profile or a resource: the one to use when several fit and none is named.
/// Its identifier is saved beside the screen's choices (docs/decisions/0045-command-line.md). Not a secret.
package struct DefaultAccount: Sendable {
    private let file: SavedChoicesFile
    /// The name of the profile, or the URL of the resource.
    private let place: String

    package init(of application: MSALPublicClientApplication, profile: String, in environment: [String: String]) {
        file = SavedChoicesFile(in: environment)
        place = application.configuration.resource?.url.absoluteString ?? profile
    }

    /// The identifier of the account, which may no longer be cached; `nil` if there is no default, or the file is unreadable.
    package var identifier: String? { (try? file.choices(of: place))?.account }

    package func set(_ account: MSALAccount?) throws {
        guard account != nil || identifier != nil else { return }
        try file.change(place) { $0.account = account?.identifier }
    }
}

extension SavedChoices {
    /// The valid choices, as the user can edit the file.
    fileprivate init(_ choices: SavedChoicesFile.Choices) {
        let scopes = (choices.scopes ?? []).filter { $0.utf8.count <= 256 && $0.isScope }
        self.init(
            scopes: Array(scopes.prefix(12)),
            order: choices.order.flatMap(AccountOrder.init) ?? .place, account: choices.account)
    }
}
