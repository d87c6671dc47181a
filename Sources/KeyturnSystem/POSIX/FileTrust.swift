import CSystem
import Glibc

/// Checks files that determine what is run or trusted: only the user and root may be able to change or replace them.
package enum FileTrust {
    /// The reason why another user could change or replace a file, or `nil`.
    ///
    /// Checks every folder and link on the path. Ignores missing files, which fail when they are read.
    package static func distrust(of path: String, by user: uid_t = geteuid()) -> Distrust? {
        var rest = components(of: path.hasPrefix("/") ? path : "\(workingFolder)/\(path)")
        var place = ""
        var linksLeft = 40
        while let component = rest.popLast() {
            if component == ".." {
                place = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
                continue
            }
            let next = "\(place)/\(component)"
            var status = stat()
            guard lstat(next, &status) == 0 else { return nil }
            if let cause = cause(status, next, user) ?? causeInList(next, status),
                cause == .otherOwner(status.st_uid) || keepsModes(next)
            {
                let isFolder = status.st_mode & S_IFMT == S_IFDIR
                let isOnPath = isFolder || !rest.isEmpty
                return Distrust(path: isOnPath || linksLeft < 40 ? next : path, isOnPath: isOnPath, cause: cause)
            }
            guard status.st_mode & S_IFMT == S_IFLNK else {
                place = next
                continue
            }
            linksLeft -= 1
            guard linksLeft > 0, let target = target(of: next) else { return nil }
            if target.hasPrefix("/") { place = "" }
            rest += components(of: target)
        }
        return nil
    }

    /// The reason why another user could change what a command runs, or `nil`.
    ///
    /// Checks the program (found in `searchPath` if its name has no slash), a script's interpreter, and each file among
    /// the arguments, such as the script after `sh` or the program after `env`. Doesn't check what a shell text (`sh -c
    /// TEXT`) or the script itself runs.
    package static func distrust(
        ofCommand command: [String], searchPath: String, by user: uid_t = geteuid()
    ) -> Distrust? {
        distrust(ofCommand: command[...], searchPath, user, interpreters: mostInterpreters)
    }

    private static func distrust(
        ofCommand command: ArraySlice<String>, _ searchPath: String, _ user: uid_t, interpreters: Int
    ) -> Distrust? {
        guard let name = command.first else { return nil }
        if let program = name.contains("/") ? name : found(name, searchPath) {
            if let distrust = distrust(of: program, by: user) { return distrust }
            let interpreter = interpreters > 0 ? interpreter(of: program)[...] : []
            if let distrust = distrust(ofCommand: interpreter, searchPath, user, interpreters: interpreters - 1) {
                return distrust.namingPath
            }
        }
        let rest = command.dropFirst()
        if name.split(separator: "/").last == "env" {
            let settings = rest.prefix { $0.hasPrefix("-") || $0.contains("=") }
            // Such as PATH, BASH_ENV and --chdir.
            if let distrust = distrust(ofFilesIn: settings, user) { return distrust }
            return distrust(ofCommand: rest.dropFirst(settings.count), searchPath, user, interpreters: interpreters)?
                .namingPath
        }
        return distrust(ofFilesIn: rest, user)
    }

    /// Checks each file that an argument names, alone or in an option such as `-S/usr/bin/program` or `--config=FILE`.
    private static func distrust(ofFilesIn arguments: ArraySlice<String>, _ user: uid_t) -> Distrust? {
        for argument in arguments {
            let parts = [argument] + argument.split { "=:, ".contains($0) }.map(String.init)
            let values = parts.filter { $0.hasPrefix("-") }.compactMap { option in
                option.firstIndex(of: "/").map { String(option[$0...]) }
            }
            for file in parts + values where file.contains("/") && access(file, F_OK) == 0 {
                if let distrust = distrust(of: file, by: user) { return distrust.namingPath }
            }
        }
        return nil
    }

    /// The nesting limit: Linux follows four interpreters (execve(2)).
    private static let mostInterpreters = 4

    /// The interpreter and argument in a script's first line. Empty for other programs.
    private static func interpreter(of program: String) -> [String] {
        guard let bytes = try? PlainFile.read(program, atMost: mostBytesOfFirstLine),
            bytes.starts(with: Array("#!".utf8))
        else { return [] }
        let line = bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
    }

    /// The limit of Linux (execve(2), "Interpreter scripts").
    private static let mostBytesOfFirstLine = 256

    private static func found(_ name: String, _ searchPath: String) -> String? {
        searchPath.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// The users who could change a file, or `nil`. The sticky bit prevents others from replacing files in a folder.
    private static func cause(_ status: stat, _ path: String, _ user: uid_t) -> Distrust.Cause? {
        let kind = status.st_mode & S_IFMT
        let hasNoModes =
            kind == S_IFLNK || kind == S_IFCHR || (kind == S_IFDIR && status.st_mode & S_ISVTX != 0)
        let owners = TrustedOwners.current
        guard
            owners.contains(
                status.st_uid, by: user,
                mayWrite: {
                    !hasNoModes && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
                })
        else { return .otherOwner(status.st_uid) }
        if hasNoModes { return nil }
        if status.st_mode & S_IWOTH != 0 { return .everyone }
        guard status.st_mode & S_IWGRP != 0, keyturn_process_group_is_private(status.st_gid, user) == 0 else {
            return nil
        }
        return .group(groupName(status.st_gid))
    }

    /// Whether an access control list (acl(5)) lets others change a file. The group permissions then show its strongest
    /// right.
    private static func causeInList(_ path: String, _ status: stat) -> Distrust.Cause? {
        status.st_mode & S_IWGRP != 0 && keyturn_process_has_access_list(path) ? .accessList : nil
    }

    /// Whether a file's mode is real. In the Windows Subsystem for Linux, Windows files appear as writable by everyone.
    private static func keepsModes(_ path: String) -> Bool {
        keepsModes(
            fileSystem: keyturn_process_file_system(path), kernelRelease: ProcessEnvironment.kernelRelease)
    }

    /// Whether the file system has real modes. `fileSystem`: the type from statfs(2). Windows drives are mounted with
    /// 9p.
    static func keepsModes(fileSystem: Int64, kernelRelease: String) -> Bool {
        fileSystem != 0x0102_1997 || !kernelRelease.lowercased().contains("microsoft")
    }

    /// The components in reverse order, without empty ones and `.`.
    private static func components(of path: String) -> [String] {
        path.split(separator: "/").reversed().filter { $0 != "." }.map(String.init)
    }

    private static var workingFolder: String {
        guard let folder = getcwd(nil, 0) else { return "" }
        defer { free(folder) }
        return String(cString: folder)
    }

    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink(link, &bytes, bytes.count - 1)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func groupName(_ identifier: gid_t) -> String {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        guard getgrgid_r(identifier, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.gr_name
        else { return String(identifier) }
        return String(cString: name)
    }
}

/// The reason why other users could change a file.
package struct Distrust: Error, Sendable, Equatable {
    package enum Cause: Sendable, Equatable {
        case otherOwner(uid_t)
        case everyone
        /// Other members of this group.
        case group(String)
        /// Users in an access control list.
        case accessList
    }

    /// The file, or a folder or link on its path.
    package var path: String
    /// Whether ``path`` is a folder or link on the path, and not the file itself.
    package var isOnPath: Bool
    package var cause: Cause

    /// A copy that names the file, for sentences where "it" would mean another one.
    fileprivate var namingPath: Distrust { Distrust(path: path, isOnPath: true, cause: cause) }

    /// The problem, to follow a colon, without a full stop.
    package var problem: String {
        let subject = isOnPath ? path : "it"
        return switch cause {
        case .otherOwner: "\(subject) belongs to another user"
        case .everyone: "every user of this computer can change \(subject)"
        case .group(let name): "the group \(name) can change \(subject)"
        case .accessList: "users of its access control list can change \(subject)"
        }
    }

    /// The remedy, without a full stop.
    package var remedy: String {
        switch cause {
        case .otherOwner(let owner):
            (isOnPath ? "Move the file into a folder of your own" : "Use a copy of your own")
                + ". If you trust that user as root, set \(TrustedOwners.variable)=\(owner)"
        case .everyone: "Run: chmod o-w '\(path)'"
        case .group, .accessList: "Run: chmod g-w '\(path)'"
        }
    }
}
