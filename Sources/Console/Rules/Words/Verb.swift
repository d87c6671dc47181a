import TerminalUI

/// What a letter does. It does the same on every screen that has this command, so that users learn it once; see
/// `docs/keys.md`. Movements, the digits of tabs, yes and no in a question, and text fields have their own keys.
package enum Verb: Character, Sendable, CaseIterable {
    case call = "a"
    case ticket = "A"
    case previousStep = "b"
    case browserToo = "B"
    case copy = "c"
    case copyAsCommand = "C"
    case details = "d"
    case remove = "D"
    case explain = "e"
    case edit = "E"
    case inspect = "f"
    case faults = "F"
    case history = "H"
    case signIn = "i"
    case deviceCode = "m"
    case nextStep = "n"
    case options = "o"
    case doors = "O"
    case paste = "p"
    case profiles = "P"
    case close = "q"
    case again = "r"
    case refresh = "R"
    case sort = "s"
    case secret = "S"
    case readToken = "t"
    case allowed = "T"
    case demoUser = "u"
    case check = "v"
    case revoke = "V"
    case undo = "U"
    case scenarios = "w"
    case step = "W"
    case export = "x"
    case copyValue = "y"
    case save = "Y"
    case picture = "z"
    case more = "+"
    case makeDefault = "*"
    case compare = "="
    case search = "/"
    case palette = ":"
    case help = "?"

    /// The verb in words, for the table in `docs/keys.md`.
    package var meaning: String {
        switch self {
        case .call: "call an API"
        case .ticket: "copy the answer for a ticket"
        case .previousStep: "go back to the previous step"
        case .browserToo: "also sign out in the browser"
        case .copy: "copy"
        case .copyAsCommand: "copy a curl command with the token"
        case .details: "show more or less"
        case .remove: "sign out or remove"
        case .explain: "explain"
        case .edit: "edit"
        case .inspect: "show the requests and responses"
        case .faults: "choose a fault of the authority"
        case .history: "list this session's flows"
        case .signIn: "sign in"
        case .deviceCode: "sign in on another device, with a code"
        case .nextStep: "play the next step"
        case .options: "sign in with options"
        case .doors: "list the open doors"
        case .paste: "sign in by pasting the final URL"
        case .profiles: "list the profiles"
        case .close: "close the screen"
        case .again: "do it again"
        case .refresh: "refresh the token"
        case .sort: "sort"
        case .secret: "show or hide a secret"
        case .readToken: "read a token"
        case .allowed: "list the servers that may have tokens"
        case .demoUser: "let a demo user act"
        case .check: "check"
        case .revoke: "also revoke the refresh token at the provider"
        case .scenarios: "choose a demo scenario, or walk a recording"
        case .undo: "undo the last change"
        case .step: "hold each request, or show the held one"
        case .export: "export to a file"
        case .copyValue: "copy the selected value"
        case .save: "save to a private file, after a question"
        case .picture: "show the QR code alone"
        case .more: "add, or enlarge a pane"
        case .makeDefault: "make the default"
        case .compare: "compare"
        case .search: "filter or search"
        case .palette: "search all commands"
        case .help: "show the keys"
        }
    }

    package var key: Key { .character(rawValue) }

    package var label: String { String(rawValue) }
}

extension Key {
    var verb: Verb? { typed.flatMap(Verb.init) }
}

extension [Key] {
    static func verb(_ verb: Verb) -> [Key] { [verb.key] }
}
