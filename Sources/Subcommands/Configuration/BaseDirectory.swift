import Foundation

/// The program's folders in the XDG base directories. The library has its own.
enum BaseDirectory {
    static func configuration(in environment: [String: String]) -> String {
        path("XDG_CONFIG_HOME", else: ".config", in: environment)
    }

    static func data(in environment: [String: String]) -> String {
        path("XDG_DATA_HOME", else: ".local/share", in: environment)
    }

    /// The folder for the login session, or the state folder without one.
    static func runtime(in environment: [String: String]) -> String {
        path("XDG_RUNTIME_DIR", in: environment) ?? state(in: environment)
    }

    static func state(in environment: [String: String]) -> String {
        path("XDG_STATE_HOME", else: ".local/state", in: environment)
    }

    private static func path(_ variable: String, else folder: String, in environment: [String: String]) -> String {
        let home = path("HOME", in: environment) ?? FileManager.default.homeDirectoryForCurrentUser.path
        return path(variable, in: environment) ?? "\(home)/\(folder)"
    }

    /// Ignores a relative path, as the specification requires.
    private static func path(_ variable: String, in environment: [String: String]) -> String? {
        environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
