import Foundation
import Glibc

/// A temporary folder, removed with this value.
final class Scratch {
    let url: URL
    private let isVolume: Bool
    var path: String { url.path }

    init() throws {
        url = try Self.folder()
        isVolume = false
    }

    /// A separate file system in memory. `nil`: this process may not mount one.
    ///
    /// - Parameter options: Mount options of tmpfs, such as `size=200k`.
    init?(volume options: String) throws {
        url = try Self.folder()
        isVolume = Self.run("mount", "-t", "tmpfs", "-o", "mode=700,\(options)", "tmpfs", url.path)
        guard isVolume else {
            try FileManager.default.removeItem(at: url)
            return nil
        }
    }

    deinit {
        if isVolume { _ = Self.run("umount", "--lazy", path) }
        try? FileManager.default.removeItem(at: url)
    }

    /// The used size of its file system. A limit below that is rejected.
    var usedKibibytes: Int {
        var facts = statvfs()
        guard statvfs(path, &facts) == 0 else { return 0 }
        return Int((facts.f_blocks - facts.f_bfree) * facts.f_frsize / 1024)
    }

    /// Changes the limits of its file system.
    func remount(_ options: String) -> Bool { Self.run("mount", "-o", "remount,\(options)", path) }

    private static func folder() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appending(path: "torture-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return url
    }

    private static func run(_ words: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
