/// The folders of the XDG base directory specification.
enum BaseDirectory {
    static func configuration(in environment: [String: String]) -> String {
        path("XDG_CONFIG_HOME", else: ".config", in: environment)
    }

    static func cache(in environment: [String: String]) -> String {
        path("XDG_CACHE_HOME", else: ".cache", in: environment)
    }

    static func data(in environment: [String: String]) -> String {
        path("XDG_DATA_HOME", else: ".local/share", in: environment)
    }

    /// The specification tells to ignore a relative path in the variable.
    private static func path(_ variable: String, else folder: String, in environment: [String: String]) -> String {
        if let path = environment[variable], path.hasPrefix("/") { return path }
        return "\(environment["HOME"] ?? "")/\(folder)"
    }
}
