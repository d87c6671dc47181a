import Foundation
import Glibc

/// Creates folders that are private from the start. `FileManager` restricts access only after creating a folder, so another
/// process could see it as unsafe.
package enum PrivateFolder {
    /// Creates a folder with mode 0700, and missing parent folders. Doesn't change an existing folder.
    package static func make(_ path: String) throws(POSIXError) {
        var code = codeOfMaking(path)
        let above = path.parentFolder
        if code == ENOENT, !above.isEmpty, above != path {
            try make(above)
            code = codeOfMaking(path)
        }
        if code != 0 { throw POSIXError(code) }
    }

    /// The next step if the system forbids a place; `nil` if another one doesn't help.
    package static func remedy(for code: Int32) -> String? {
        [EACCES, EPERM, EROFS, ENOENT, ENOTDIR].contains(code)
            ? "Set XDG_STATE_HOME to a folder that you can write, or name another cache in the configuration." : nil
    }

    /// The error of writing a file, with other files beside it; `nil` if it would succeed.
    package static func codeOfWriting(to file: String) -> Int32? {
        if access(file, W_OK) != 0, errno != ENOENT { return errno }
        return codeOfWriting(in: file.parentFolder)
    }

    /// The error of writing a new file in the folder, which is created first; `nil` if it would succeed. Creates an empty
    /// folder there, or in the nearest existing folder above, and removes it: access(2) tells too little, because root may do
    /// anything, except in file systems such as /proc.
    package static func codeOfWriting(in path: String) -> Int32? {
        var place = path
        var status = stat()
        while stat(place, &status) != 0 {
            let above = place.parentFolder
            guard errno == ENOENT, !above.isEmpty, above != place else { return errno }
            place = above
        }
        var name = Array("\(place)/.keyturn-check-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { return errno }
        rmdir(name)
        return nil
    }

    private static func codeOfMaking(_ path: String) -> Int32 { mkdir(path, 0o700) == 0 || errno == EEXIST ? 0 : errno }
}
