import CSystem
import Glibc

package enum ProcessEnvironment {
    package static var variables: [String: String] { keyturn_process_environment().map(variables) ?? [:] }

    /// Call this before a second thread starts. Returns `false` when the variable didn't exist.
    package static func remove(_ name: String) -> Bool { getenv(name) != nil && unsetenv(name) == 0 }

    /// Call this before a second thread starts.
    package static func set(_ name: String, _ value: String) { setenv(name, value, 1) }

    package static var kernelRelease: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "" }
        return withUnsafeBytes(of: names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static let withheld = Locked<Set<String>>([])

    /// Keeps a variable from every program that this process starts: it has a secret for this process alone.
    package static func withhold(_ name: String) { withheld.withLock { _ = $0.insert(name) } }

    static func ofProgram(_ variables: [String: String]) -> [String: String] {
        let withheld = withheld.withLock(\.self)
        return variables.filter { !withheld.contains($0.key) }
    }

    /// Parses a list in the format of environ(7). The first of several variables with one name counts, as in getenv(3).
    /// Foundation does the same character by character, which takes 5 % of a command's run time.
    static func variables(of list: UnsafePointer<UnsafeMutablePointer<CChar>?>) -> [String: String] {
        var variables: [String: String] = [:]
        var place = list
        while let entry = place.pointee {
            place += 1
            guard let sign = strchr(entry, Int32(UInt8(ascii: "="))), sign != entry else { continue }
            let name = UnsafeRawBufferPointer(start: entry, count: sign - entry)
            let key = String(decoding: name, as: UTF8.self)
            if variables[key] == nil { variables[key] = String(cString: sign + 1) }
        }
        return variables
    }
}

/// The arguments of the process, also without /proc, where `CommandLine.arguments` is empty.
package enum ProcessArguments {
    package static var list: [String] {
        var arguments: [String] = []
        var place = keyturn_process_arguments()
        while let argument = place?.pointee {
            arguments.append(String(cString: argument))
            place = place?.successor()
        }
        return Array(arguments.dropFirst())
    }
}
