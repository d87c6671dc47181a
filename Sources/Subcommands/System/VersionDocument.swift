import CSystem

/// The JSON of `--version`: the build, and the libraries on this system.
struct VersionDocument: Encodable {
    var version = EmbeddedResource.version
    /// The Git commit, followed by `-dirty` if the sources were changed; missing in builds without `make`.
    var commit: String?
    var toolchain: String?
    var libraries = Library.all

    init() {
        let build = keyturn_process_build().map { String(cString: $0).split(separator: "\n").map(String.init) } ?? []
        (commit, toolchain) = (build.first, build.dropFirst().first)
    }

    struct Library: Encodable {
        var name: String
        /// The name that the loader looks for.
        var file: String
        /// `nil` if unknown.
        var version: String?
        var isInstalled: Bool

        static var all: [Library] {
            (0...).lazy.map { index in
                var facts = keyturn_process_library_facts()
                return keyturn_process_library(index, &facts) ? Library(facts) : nil
            }
            .prefix { $0 != nil }.compactMap(\.self)
        }

        private init(_ facts: keyturn_process_library_facts) {
            let version = withUnsafeBytes(of: facts.version) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            name = String(cString: facts.name)
            file = String(cString: facts.file)
            self.version = version.isEmpty ? nil : version
            isInstalled = facts.is_installed
        }
    }
}
