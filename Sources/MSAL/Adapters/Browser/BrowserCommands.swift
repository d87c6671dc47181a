import Foundation
import KeyturnSystem

/// The commands that can open a page, in order, each as a list of arguments. The configuration takes precedence over
/// `$BROWSER`, and that over the system's commands. Both are lists separated by colons; `%s` marks the URL, which is
/// otherwise appended; quotes and backslashes keep spaces, as in a shell. If either is set, no other command is tried.
struct BrowserCommands: Equatable {
    let commands: [[String]]
    /// Whether the user chose the commands. The system has none without a display.
    let isChosen: Bool

    /// `isExecutable`: whether a path names a program. An executable path with spaces isn't split.
    init(
        configured: String? = nil, environment: [String: String], address: String, isPrivate: Bool = false,
        isExecutable: (String) -> Bool = FileManager.default.isExecutableFile(atPath:)
    ) {
        let list = [configured, environment["BROWSER"]].lazy.compactMap { $0 }.map(Self.entries).first { !$0.isEmpty }
        let listed: [[String]]? = list?.map { entry in
            var words =
                entry.hasPrefix("/") && isExecutable(entry)
                ? [entry] : ShellWords.split(entry)
            if isPrivate, let flag = PrivateWindow.flag(of: words) { words.insert(flag, at: 1) }
            guard words.contains(where: { $0.contains("%s") }) else { return words + [address] }
            return words.map { $0.replacingOccurrences(of: "%s", with: address) }
        }
        isChosen = listed != nil
        commands = listed ?? Self.system(environment, address)
    }

    /// Whether the command is a text browser. Without a terminal, such a browser shows nothing but reports success.
    static func drawsInTerminal(_ command: [String]) -> Bool {
        let program = command.first?.split(separator: "/").last.map(String.init) ?? ""
        return ["w3m", "lynx", "links", "links2", "elinks", "www-browser", "browsh"].contains(program)
    }

    private static func entries(_ list: String) -> [String] {
        ShellWords.pieces(of: list, at: ":").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The system's commands. In the Windows Subsystem for Linux they open a Windows browser with wslu or PowerShell.
    private static func system(_ environment: [String: String], _ address: String) -> [[String]] {
        func has(_ names: String...) -> Bool { names.contains { environment[$0]?.isEmpty == false } }
        let linux = has("DISPLAY", "WAYLAND_DISPLAY") ? [["xdg-open", address]] : []
        guard has("WSL_DISTRO_NAME", "WSL_INTEROP") else { return linux }
        // In single quotes only the quote itself is special, and is doubled.
        let quoted = "'\(address.replacingOccurrences(of: "'", with: "''"))'"
        let windows = [
            "powershell.exe", "-NoProfile", "-NonInteractive", "-Command", "Start-Process -FilePath \(quoted)",
        ]
        return [["wslview", address], windows] + linux
    }
}

enum PrivateWindow {
    static func flag(of command: [String]) -> String? {
        guard let program = command.first?.split(separator: "/").last?.lowercased() else { return nil }
        let name = endings.first { program.hasSuffix($0) }.map { String(program.dropLast($0.count)) } ?? program
        guard let flag = flags[name], !command.contains(flag) else { return nil }
        return flag
    }

    private static let endings = ["-stable", "-esr", "-browser", ".exe"]

    private static let flags = [
        "firefox": "--private-window", "librewolf": "--private-window", "chromium": "--incognito",
        "google-chrome": "--incognito", "chrome": "--incognito", "brave": "--incognito", "vivaldi": "--incognito",
        "microsoft-edge": "--inprivate", "msedge": "--inprivate", "opera": "--private", "epiphany": "--incognito-mode",
    ]
}
