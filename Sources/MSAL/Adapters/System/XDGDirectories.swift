import Foundation

/// This program's folders (XDG Base Directory Specification 0.8).
package struct XDGDirectories: Sendable, Equatable {
    /// For the token cache, which must survive a restart.
    package let state: URL
    /// For data that can be fetched again.
    package let cache: URL
    /// For sockets; absent outside a login session.
    package let runtime: URL?

    static let application = "keyturn"

    package init(environment: [String: String]) {
        /// Ignores relative paths, as the specification requires.
        func absolute(_ name: String) -> URL? {
            guard let path = environment[name], path.hasPrefix("/") else { return nil }
            return URL(filePath: path, directoryHint: .isDirectory)
        }
        /// Creates a path without a trailing slash.
        func folder(_ base: URL) -> URL { base.appending(path: Self.application, directoryHint: .notDirectory) }
        let home = absolute("HOME") ?? FileManager.default.homeDirectoryForCurrentUser
        state = folder(absolute("XDG_STATE_HOME") ?? home.appending(path: ".local/state", directoryHint: .isDirectory))
        cache = folder(absolute("XDG_CACHE_HOME") ?? home.appending(path: ".cache", directoryHint: .isDirectory))
        runtime = absolute("XDG_RUNTIME_DIR").map(folder)
    }
}
