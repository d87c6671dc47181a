import Foundation

/// Where this program's files belong (XDG Base Directory Specification 0.8), each a folder of its own name.
package struct XDGDirectories: Sendable, Equatable {
    /// What must survive a restart, but is not the person's data: the token cache.
    package let state: URL
    /// What can be fetched again.
    package let cache: URL
    /// For sockets; absent outside a login session.
    package let runtime: URL?

    static let application = "keyturn"

    package init(environment: [String: String]) {
        /// A relative path must be ignored, says the specification.
        func absolute(_ name: String) -> URL? {
            guard let path = environment[name], path.hasPrefix("/") else { return nil }
            return URL(filePath: path, directoryHint: .isDirectory)
        }
        /// Its path ends without a slash.
        func folder(_ base: URL) -> URL { base.appending(path: Self.application, directoryHint: .notDirectory) }
        let home = absolute("HOME") ?? FileManager.default.homeDirectoryForCurrentUser
        state = folder(absolute("XDG_STATE_HOME") ?? home.appending(path: ".local/state", directoryHint: .isDirectory))
        cache = folder(absolute("XDG_CACHE_HOME") ?? home.appending(path: ".cache", directoryHint: .isDirectory))
        runtime = absolute("XDG_RUNTIME_DIR").map(folder)
    }
}
