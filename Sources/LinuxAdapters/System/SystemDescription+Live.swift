import AuthEngine
import Glibc

extension SystemDescription {
    /// The kernel's name and release, from uname(2).
    package static func ofThisMachine() -> SystemDescription {
        var names = utsname()
        guard uname(&names) == 0 else { return SystemDescription() }
        let release = withUnsafeBytes(of: &names.release) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return SystemDescription(version: release)
    }
}
