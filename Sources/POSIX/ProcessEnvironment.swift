import CProcess
import Glibc

/// The environment that the process was started with.
package enum ProcessEnvironment {
    package static var variables: [String: String] { keyturn_process_environment().map(variables) ?? [:] }

    /// Removes a variable, for this process and those it starts. Only before the process has a second thread.
    ///
    /// Returns `false` when there was none.
    package static func remove(_ name: String) -> Bool {
        guard getenv(name) != nil else { return false }
        return unsetenv(name) == 0
    }

    /// The variables of a list as environ(7) describes it, `NAME=value` each and NULL at the end. Of two of one name the first
    /// counts, as for getenv(3); an entry without a name or a sign is none. Bytes that are not UTF-8 are replaced.
    ///
    /// Foundation reads the same character by character, which takes a twentieth of the time that a command has.
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
