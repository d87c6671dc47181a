import Foundation
import Glibc

/// Creates folders that are private from the start.
///
/// `FileManager` restricts access only after creating a folder, so another process could see it as unsafe.
package enum PrivateFolder {
    /// Creates a folder with mode 0700, and missing parent folders. Doesn't change an existing folder.
    ///
    /// - Throws: the system's error for the first folder that can't be created.
    package static func make(_ path: String) throws(POSIXError) {
        let code = codeOfMaking(path)
        if code == 0 { return }
        let above = path.parentFolder
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
