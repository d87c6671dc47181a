import Foundation
import Glibc

/// Folders that are their owner's alone from the first moment on.
///
/// `FileManager` makes a folder that others may enter and shuts them out afterwards: another process that looks in between
/// rightly refuses to keep secrets there.
package enum PrivateFolder {
    /// Makes the folder, mode 0700, and those above it that are missing. One that is there stays as it is.
    /// - Throws: what the system says of the first that cannot be made.
    package static func make(_ path: String) throws(POSIXError) {
        let code = codeOfMaking(path)
        if code == 0 { return }
        let above = (path as NSString).deletingLastPathComponent
        guard code == ENOENT, !above.isEmpty, above != path else { throw failure(code) }
        try make(above)
        let secondCode = codeOfMaking(path)
        guard secondCode == 0 else { throw failure(secondCode) }
    }

    private static func codeOfMaking(_ path: String) -> Int32 {
        mkdir(path, 0o700) == 0 || errno == EEXIST ? 0 : errno
    }

    private static func failure(_ code: Int32) -> POSIXError { POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
}
