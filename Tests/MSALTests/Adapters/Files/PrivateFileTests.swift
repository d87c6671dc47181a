import Foundation
import Glibc
import Testing

@testable import MSAL

@Suite("Private files")
struct PrivateFileTests {
    struct Folder: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var path: String
        var mode: mode_t
        var isOurs = true
        /// The end of the remedy; `nil` if the file is accepted.
        var advice: String?
    }

    static let elsewhere = "Use a file in another folder, which only you can access (mode 0700)."
    static let folders = [
        Folder(testDescription: "private", path: "/s/keyturn", mode: S_IFDIR | 0o700),
        Folder(
            testDescription: "this program's, opened to readers", path: "/s/keyturn", mode: S_IFDIR | 0o755,
            advice: "chmod 700 '/s/keyturn'"),
        Folder(
            testDescription: "this program's, and others write there", path: "/s/keyturn", mode: S_IFDIR | 0o777,
            advice: elsewhere),
        Folder(testDescription: "shared, of root itself", path: "/tmp", mode: S_IFDIR | 0o1777, advice: elsewhere),
        Folder(
            testDescription: "shared, by this program's name", path: "/tmp/keyturn", mode: S_IFDIR | 0o1755,
            advice: elsewhere),
        Folder(
            testDescription: "of a group", path: "/srv/keyturn", mode: S_IFDIR | 0o2750, advice: elsewhere),
        Folder(testDescription: "a home", path: "/home/ada", mode: S_IFDIR | 0o755, advice: elsewhere),
        Folder(
            testDescription: "another user's", path: "/s/keyturn", mode: S_IFDIR | 0o700, isOurs: false,
            advice: elsewhere),
        Folder(testDescription: "a link", path: "/s/keyturn", mode: S_IFLNK | 0o777, advice: elsewhere),
    ]

    @Test("Names the companion that can't be set aside")
    func companion() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("cache.db").path
        for file in [path, path + "-wal"] { #expect(try PrivateFile.create(file)) }
        // A folder is in its way.
        try PrivateFile.prepareFolder("\(path).set-aside-1-wal")
        let failure = #expect(throws: PrivateFile.Failure.self) {
            try PrivateFile.setAside(path, companions: ["-wal"])
        }
        #expect(failure?.reason.hasPrefix("Can't set aside \(path)-wal: ") == true)
    }

    @Test("Rejects a folder whose path other users can change")
    func wayThere() throws {
        let folder = try TemporaryFolder()
        let above = folder.url.path + "/above"
        let path = above + "/state/keyturn"
        try PrivateFile.prepareFolder(path)
        for (mode, isSafe) in [(0o777, false), (0o1777, true), (0o702, false), (0o755, true)] as [(mode_t, Bool)] {
            try #require(chmod(above, mode) == 0)
            guard !isSafe else {
                #expect(try PrivateFile.checkFolder(path))
                continue
            }
            let failure = #expect(throws: PrivateFile.Failure.self) { try PrivateFile.prepareFolder(path) }
            #expect(failure?.kind == .unsafePermissions)
            #expect(failure?.reason.contains("every user of this computer can change \(above).") == true)
            #expect(failure?.remedy?.contains("Run: chmod o-w") == true)
        }
        if geteuid() == 0 {
            try #require(chown(above, 54_321, 54_321) == 0)
            #expect(throws: PrivateFile.Failure.self) { try PrivateFile.checkFolder(path) }
        }
    }

    @Test("Advises another mode only for a folder that belongs to this program alone", arguments: folders)
    func advice(folder: Folder) {
        var status = stat()
        status.st_mode = folder.mode
        status.st_uid = folder.isOurs ? geteuid() : geteuid() + 1
        let problem = PrivateFile.folderProblem(status, folder.path)
        guard let advice = folder.advice else {
            #expect(problem == nil)
            return
        }
        #expect(problem?.kind == .unsafePermissions && problem?.reason.contains(folder.path) == true)
        #expect(problem?.remedy?.hasSuffix(advice) == true, "\(problem?.remedy ?? "nothing")")
        #expect(problem?.remedy?.contains("chmod") == advice.contains("chmod"))
    }

    @Test("A new file is only the user's, whatever the umask allows")
    func mode() throws {
        let path = NSTemporaryDirectory() + "keyturn-\(UUID().uuidString)"
        defer { unlink(path) }
        #expect(try PrivateFile.create(path))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try !PrivateFile.create(path))
    }
}
