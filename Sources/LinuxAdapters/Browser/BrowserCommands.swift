import Foundation

/// The commands that may open a page, in the order to try them, each as its arguments.
///
/// What is configured counts before `$BROWSER`, and that before the system's own. Both are lists of commands separated by
/// colons; `%s` in one stands for the address, which is else appended. They are taken as they stand: with either of them,
/// nothing else is tried.
struct BrowserCommands: Equatable {
    let commands: [[String]]
    /// Whether the user chose them. The system's own are none at all where there is no display to open a browser on.
    let isChosen: Bool

    /// - Parameters:
    ///   - configured: the person's own choice, if there is one.
    ///   - isPrivate: asks for a private window, of those browsers that are known to have one.
    ///   - isExecutable: whether a path names a program; one with blanks in it is not split.
    init(
        configured: String? = nil, environment: [String: String], address: String, isPrivate: Bool = false,
        isExecutable: (String) -> Bool = FileManager.default.isExecutableFile(atPath:)
    ) {
        let list = [configured, environment["BROWSER"]].lazy.compactMap { $0 }.map(Self.entries)
            .first { !$0.isEmpty }
        let listed: [[String]]? = list?.map { entry in
            var words =
                entry.hasPrefix("/") && isExecutable(entry)
                ? [entry] : entry.split(separator: " ").map(String.init)
            if isPrivate, let flag = PrivateWindow.flag(of: words) { words.insert(flag, at: 1) }
            guard words.contains(where: { $0.contains("%s") }) else { return words + [address] }
            return words.map { $0.replacingOccurrences(of: "%s", with: address) }
        }
        isChosen = listed != nil
        commands = listed ?? Self.system(environment, address)
    }

    /// Whether it is one of the text browsers. Started beside this program such a one has no terminal, shows nothing, and
    /// says that all is well.
    static func drawsInTerminal(_ command: [String]) -> Bool {
        let program = command.first?.split(separator: "/").last.map(String.init) ?? ""
        return ["w3m", "lynx", "links", "links2", "elinks", "www-browser", "browsh"].contains(program)
    }

    private static func entries(_ list: String) -> [String] {
        list.split(separator: ":").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// In the Windows Subsystem for Linux the browser is on the other side: by wslu's opener, else by PowerShell.
    private static func system(_ environment: [String: String], _ address: String) -> [[String]] {
        func has(_ names: String...) -> Bool { names.contains { environment[$0]?.isEmpty == false } }
        let linux = has("DISPLAY", "WAYLAND_DISPLAY") ? [["xdg-open", address]] : []
        guard has("WSL_DISTRO_NAME", "WSL_INTEROP") else { return linux }
        // In single quotes PowerShell reads nothing but the quote itself, which is doubled.
        let quoted = "'\(address.replacingOccurrences(of: "'", with: "''"))'"
        let windows = [
            "powershell.exe", "-NoProfile", "-NonInteractive", "-Command", "Start-Process -FilePath \(quoted)",
        ]
        return [["wslview", address], windows] + linux
    }
}

/// How browsers are asked for a window without the session of the others.
enum PrivateWindow {
    /// `nil` for a browser that is not known, and for a command that has the flag already.
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
