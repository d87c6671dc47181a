import CSystem
import JSON
import MSAL

/// The JSON of `--version`: the build, and the libraries on this system.
enum VersionDocument {
    static var json: JSONValue {
        // The Git commit, followed by `-dirty` if the sources were changed, and the toolchain; missing in builds without
        // `make`.
        let build = keyturn_process_build().map { String(cString: $0).split(separator: "\n").map(String.init) } ?? []
        return JSONValue(members: [
            "version": .string(Release.version), "commit": build.first.map(JSONValue.string),
            "toolchain": build.dropFirst().first.map(JSONValue.string), "libraries": .array(libraries),
        ])
    }

    private static var libraries: [JSONValue] {
        var libraries: [JSONValue] = []
        var facts = keyturn_process_library_facts()
        while keyturn_process_library(libraries.count, &facts) { libraries.append(json(of: facts)) }
        return libraries
    }

    private static func json(of library: keyturn_process_library_facts) -> JSONValue {
        let version = withUnsafeBytes(of: library.version) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return JSONValue(members: [
            // The file is what the loader looks for.
            "name": .string(String(cString: library.name)), "file": .string(String(cString: library.file)),
            "version": version.isEmpty ? nil : .string(version), "isInstalled": .bool(library.is_installed),
        ])
    }
}
