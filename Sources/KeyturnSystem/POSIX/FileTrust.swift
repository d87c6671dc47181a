import CSystem
import Glibc

/// Checks files that determine what is run or trusted: only the user and root may be able to change or replace them.
package enum FileTrust {
    /// Checks every folder and link on the path. Ignores missing files, which fail when they are read.
    package static func distrust(of path: String, by user: uid_t = geteuid()) -> Distrust? {
        let workingFolder = path.hasPrefix("/") ? nil : getcwd(nil, 0)
        defer { free(workingFolder) }
        var rest = components(of: "\(workingFolder.map { String(cString: $0) } ?? "")/\(path)")
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

    /// Checks the program (found in `searchPath` if its name has no slash), a script's interpreter, and each file among the
    /// arguments, such as the script after `sh` or the program after `env`. Doesn't check what a shell text (`sh -c TEXT`) or
    /// the script itself runs.
    package static func distrust(
        ofCommand command: [String], searchPath: String, by user: uid_t = geteuid()
    ) -> Distrust? {
        // Linux follows four interpreters (execve(2)).
        distrust(ofCommand: command[...], searchPath, user, interpreters: 4)
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
        guard name.split(separator: "/").last == "env" else { return distrust(ofFilesIn: rest, user) }
        let settings = rest.prefix { $0.hasPrefix("-") || $0.contains("=") }
        // Such as PATH, BASH_ENV and --chdir.
        return distrust(ofFilesIn: settings, user)
            ?? distrust(ofCommand: rest.dropFirst(settings.count), searchPath, user, interpreters: interpreters)?
            .namingPath
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

    /// The interpreter and argument in a script's first line, with Linux's limit (execve(2), "Interpreter scripts"). Empty for
    /// other programs.
    private static func interpreter(of program: String) -> [String] {
        guard let bytes = try? PlainFile.read(program, atMost: 256), bytes.starts(with: "#!".utf8) else { return [] }
        let line = bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
    }

    private static func found(_ name: String, _ searchPath: String) -> String? {
        searchPath.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// The users who could change a file, or `nil`. The sticky bit prevents others from replacing files in a folder.
    private static func cause(_ status: stat, _ path: String, _ user: uid_t) -> Distrust.Cause? {
        let kind = status.st_mode & S_IFMT
        let hasNoModes = kind == S_IFLNK || kind == S_IFCHR || (kind == S_IFDIR && status.st_mode & S_ISVTX != 0)
        let mayWrite = { !hasNoModes && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 }
        guard TrustedOwners.current.contains(status.st_uid, by: user, mayWrite: mayWrite) else {
            return .otherOwner(status.st_uid)
        }
        if hasNoModes { return nil }
        if status.st_mode & S_IWOTH != 0 { return .everyone }
        let isShared = status.st_mode & S_IWGRP != 0 && keyturn_process_group_is_private(status.st_gid, user) == 0
        return isShared ? .group(groupName(status.st_gid)) : nil
    }

    /// An access control list (acl(5)) can let others change a file. The group permissions then show its strongest right.
    private static func causeInList(_ path: String, _ status: stat) -> Distrust.Cause? {
        status.st_mode & S_IWGRP != 0 && keyturn_process_has_access_list(path) ? .accessList : nil
    }

    private static func keepsModes(_ path: String) -> Bool {
        keepsModes(fileSystem: keyturn_process_file_system(path), kernelRelease: ProcessEnvironment.kernelRelease)
    }

    /// In the Windows Subsystem for Linux, files of Windows appear as writable by everyone. Its drives are mounted with 9p.
    /// - Parameter fileSystem: the type from statfs(2).
    static func keepsModes(fileSystem: Int64, kernelRelease: String) -> Bool {
        fileSystem != 0x0102_1997 || !kernelRelease.lowercased().contains("microsoft")
    }

    /// In reverse order.
    private static func components(of path: String) -> [String] {
        path.split(separator: "/").reversed().filter { $0 != "." }.map(String.init)
    }

    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink(link, &bytes, bytes.count - 1)
        return count > 0 ? String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
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
        case group(String)
        case accessList
    }

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

/// The owners, besides the user, who can be trusted with a file or a folder on its path.
///
/// Root can. So can an owner without a number in the user namespace of this process (user_namespaces(7)), in which a sandbox
/// runs programs: root's files belong to the overflow user there, as do those of all others. These files are judged by who
/// can write them: a file that the user can't write either is trusted as root's is.
struct TrustedOwners: Sendable, Equatable {
    /// Names and numbers of users, separated by commas, whom the user trusts as root.
    static let variable = "KEYTURN_TRUSTED_OWNERS"

    static let current = TrustedOwners(
        list: getenv(variable).map { String(cString: $0) } ?? "", overflow: text(of: "/proc/sys/kernel/overflowuid"),
        map: text(of: "/proc/self/uid_map"))

    private let named: Set<uid_t>
    /// The owner of files whose real owner has no number here; `nil` if it is an ordinary user's number.
    private let overflow: uid_t?

    /// - Parameter map: lines with the first number here, the first number outside, and the length of each range.
    init(list: String, overflow: String, map: String) {
        named = Set(list.split { ", ".contains($0) }.compactMap { uid_t($0) ?? getpwnam(String($0))?.pointee.pw_uid })
        let ranges = map.split(whereSeparator: \.isNewline).map { $0.split(separator: " ").compactMap { UInt64($0) } }
        let number = overflow.split(whereSeparator: \.isWhitespace).first.flatMap { uid_t($0) }
        // A map that can't be read says nothing about the namespace.
        self.overflow = number.flatMap { number in
            let isUnmapped = ranges.allSatisfy {
                $0.count == 3 && !($0[0]..<$0[0] + min($0[2], 1 << 32)).contains(UInt64(number))
            }
            return isUnmapped && !ranges.isEmpty ? number : nil
        }
    }

    func contains(_ owner: uid_t, by user: uid_t, mayWrite: () -> Bool) -> Bool {
        owner == user || owner == 0 || named.contains(owner) || (owner == overflow && !mayWrite())
    }

    private static func text(of path: String) -> String {
        (try? PlainFile.read(path, atMost: 4096)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
