import Foundation
import Glibc
import Testing

@testable import KeyturnSystem

@Suite("Files that other users can change")
struct FileTrustTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trust-\(UUID().uuidString)")
        .path

    private func withFile(_ body: (String) throws -> Void) throws {
        try #require(mkdir(folder, 0o755) == 0)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/file"
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        try #require(chmod(path, 0o600) == 0)
        try body(path)
    }

    private static let stranger: uid_t = 54_321

    @Test("A private file in the user's folder is trusted; so is a missing one")
    func trusted() throws {
        try withFile { path in
            #expect(FileTrust.distrust(of: path) == nil)
            #expect(FileTrust.distrust(of: path + "-missing") == nil)
            #expect(FileTrust.distrust(of: "\(folder)/../\((folder as NSString).lastPathComponent)//./file") == nil)
        }
    }

    @Test("A path is not trusted if every user can change any part of it")
    func everyone() throws {
        try withFile { path in
            try #require(chmod(path, 0o602) == 0)
            let distrust = FileTrust.distrust(of: path)
            #expect(distrust == Distrust(path: path, isOnPath: false, cause: .everyone))
            #expect(distrust?.problem == "every user of this computer can change it")
            #expect(distrust?.remedy == "Run: chmod o-w '\(path)'")
            try #require(chmod(path, 0o600) == 0 && chmod(folder, 0o777) == 0)
            #expect(FileTrust.distrust(of: path) == Distrust(path: folder, isOnPath: true, cause: .everyone))
            // A file that the sticky bit protects from replacement is checked by itself.
            try #require(chmod(folder, 0o1777) == 0)
            #expect(FileTrust.distrust(of: path) == nil)
        }
    }

    @Test("A link is followed, and the path to its target counts")
    func link() throws {
        try withFile { path in
            let other = folder + "/open"
            try #require(mkdir(other, 0o755) == 0 && chmod(other, 0o777) == 0)
            let target = other + "/file"
            try #require(FileManager.default.createFile(atPath: target, contents: nil))
            try #require(symlink("open/file", folder + "/link") == 0)
            #expect(
                FileTrust.distrust(of: folder + "/link")
                    == Distrust(path: other, isOnPath: true, cause: .everyone))
            try #require(symlink(folder + "/loop", folder + "/loop") == 0)
            #expect(FileTrust.distrust(of: folder + "/loop") == nil)
        }
    }

    @Test("On a Windows drive, modes are ignored")
    func windows() {
        #expect(!FileTrust.keepsModes(fileSystem: 0x0102_1997, kernelRelease: "5.15.0-Microsoft-standard-WSL2"))
        #expect(FileTrust.keepsModes(fileSystem: 0x0102_1997, kernelRelease: "6.1.0-18-amd64"))
        #expect(FileTrust.keepsModes(fileSystem: 0xEF53, kernelRelease: "5.15.0-microsoft-standard-WSL2"))
    }

    private func distrust(_ command: String, _ searchPath: String = "/bin") -> Distrust? {
        FileTrust.distrust(ofCommand: command.split(separator: " ").map(String.init), searchPath: searchPath)
    }

    @Test("A program is looked up in PATH")
    func program() throws {
        try withFile { path in
            try #require(chmod(path, 0o777) == 0)
            #expect(distrust("file https://a.example/", "/none:\(folder)")?.cause == .everyone)
            #expect(distrust("\(path) https://a.example/", "")?.cause == .everyone)
            #expect(distrust("file", "/none") == nil)
            #expect(distrust("") == nil)
        }
    }

    @Test("Every file that a command names counts")
    func command() throws {
        try withFile { path in
            #expect(distrust("sh \(path) https://a.example/") == nil)
            try #require(chmod(path, 0o777) == 0)
            let expected = Distrust(path: path, isOnPath: true, cause: .everyone)
            for command in [
                "sh \(path) https://a.example/", "/bin/sh -e \(path)", "env \(path)", "/usr/bin/env -i A=b \(path)",
                "env sh \(path)", "env env \(path)", "env BASH_ENV=\(path) bash own", "env --x=\(path) true",
                "env -S\(path)",
                "true --config=\(path)", "bash --init-file=\(path)", "python3 -I\(path)",
            ] {
                #expect(distrust(command) == expected, "\(command)")
            }
            #expect(distrust("env file", folder) == expected)
            #expect(distrust("env sh https://a.example/") == nil)
        }
    }

    @Test("A script's interpreter counts, and a loop of interpreters ends")
    func interpreter() throws {
        try withFile { path in
            let script = folder + "/script"
            for line in ["#!\(path) -x", "#! /usr/bin/env \(path)", "#!/usr/bin/env file"] {
                let content = Data("\(line)\necho\n".utf8)
                try #require(FileManager.default.createFile(atPath: script, contents: content))
                try #require(chmod(script, 0o700) == 0 && chmod(path, 0o700) == 0)
                #expect(distrust(script, folder) == nil, "\(line)")
                try #require(chmod(path, 0o777) == 0)
                #expect(distrust(script, folder)?.path == path, "\(line)")
            }
            let between = folder + "/between"
            for (name, next) in [(script, between), (between, path)] {
                let content = Data("#!\(next)\n".utf8)
                try #require(FileManager.default.createFile(atPath: name, contents: content))
                try #require(chmod(name, 0o700) == 0)
            }
            #expect(distrust(script)?.path == path)
            try #require(FileManager.default.createFile(atPath: script, contents: Data("#!\(script)\n".utf8)))
            #expect(distrust(script) == nil)
        }
    }

    @Test("A file of another user is not trusted", .enabled(if: geteuid() == 0, "only root can give a file away"))
    func otherOwner() throws {
        try withFile { path in
            try #require(chown(path, Self.stranger, Self.stranger) == 0)
            #expect(FileTrust.distrust(of: path)?.problem == "it belongs to another user")
            #expect(FileTrust.distrust(of: path, by: Self.stranger) == nil)
            try #require(chown(path, 0, 0) == 0 && chown(folder, Self.stranger, Self.stranger) == 0)
            #expect(FileTrust.distrust(of: path)?.path == folder)
            // Every user trusts root's files.
            try #require(chown(folder, 0, 0) == 0)
            #expect(FileTrust.distrust(of: path, by: Self.stranger) == nil)
        }
    }

    @Test(
        "A group may change it if it is the user's own and has no other member",
        .enabled(if: geteuid() == 0 && access("/usr/sbin/useradd", X_OK) == 0, "only root can make users"))
    func group() throws {
        let (first, second) = ("kt-a\(getpid())", "kt-b\(getpid())")
        defer { for name in [second, first] { run("/usr/sbin/userdel", name) } }
        try #require(run("/usr/sbin/useradd", "--user-group", "--no-create-home", first) == 0)
        try #require(run("/usr/sbin/useradd", "--user-group", "--no-create-home", second) == 0)
        let user = try #require(getpwnam(first)).pointee
        let (owner, group) = (user.pw_uid, user.pw_gid)
        try withFile { path in
            try #require(chown(path, owner, group) == 0 && chmod(path, 0o660) == 0)
            #expect(FileTrust.distrust(of: path, by: owner) == nil)
            // Listed in the group.
            try #require(run("/usr/sbin/usermod", "--append", "--groups", first, second) == 0)
            let distrust = FileTrust.distrust(of: path, by: owner)
            #expect(distrust?.cause == .group(first))
            #expect(distrust?.remedy == "Run: chmod g-w '\(path)'")
            // The group is the primary one.
            try #require(run("/usr/sbin/usermod", "--groups", "", "--gid", first, second) == 0)
            #expect(FileTrust.distrust(of: path, by: owner)?.cause == .group(first))
            // Not the user's group, whatever its members.
            try #require(run("/usr/sbin/usermod", "--gid", "nogroup", second) == 0)
            #expect(FileTrust.distrust(of: path, by: owner) == nil)
            try #require(chown(path, owner, Self.stranger) == 0 && chmod(path, 0o660) == 0)
            #expect(FileTrust.distrust(of: path, by: owner)?.cause == .group(String(Self.stranger)))
        }
    }

    @discardableResult
    private func run(_ program: String, _ arguments: String...) -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return -1 }
        process.waitUntilExit()
        return process.terminationStatus
    }
}
