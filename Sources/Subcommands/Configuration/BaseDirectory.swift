import Foundation

/// The folders of the XDG base directory specification that are the program's; the library has its own.
enum BaseDirectory {
    static func configuration(in environment: [String: String]) -> String {
        path("XDG_CONFIG_HOME", else: ".config", in: environment)
    }

    static func data(in environment: [String: String]) -> String {
        path("XDG_DATA_HOME", else: ".local/share", in: environment)
    }

    /// The specification tells to ignore a relative path in the variable.
    private static func path(_ variable: String, else folder: String, in environment: [String: String]) -> String {
        func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let home = absolute("HOME") ?? FileManager.default.homeDirectoryForCurrentUser.path
        return absolute(variable) ?? "\(home)/\(folder)"
    }
}
