import Glibc

/// The owners, besides the user, who can be trusted with a file or a folder on its path.
///
/// Root can. So can an owner without a number in the user namespace of this process (user_namespaces(7)), in which a sandbox
/// runs programs: root's files belong to the overflow user there, as do those of all others. These files are judged by who
/// can write them: a file that the user can't write either is trusted as root's is.
struct TrustedOwners: Sendable, Equatable {
    /// Names and numbers of users, separated by commas, whom the user trusts as root.
    static let variable = "KEYTURN_TRUSTED_OWNERS"

    /// Those of this process.
    static let current = TrustedOwners(
        list: getenv(variable).map { String(cString: $0) } ?? "", overflow: text(of: "/proc/sys/kernel/overflowuid"),
        map: text(of: "/proc/self/uid_map"))

    /// The users whom ``variable`` names.
    private let named: Set<uid_t>
    /// The owner of files whose real owner has no number here; `nil` if it is an ordinary user's number.
    private let overflow: uid_t?

    /// - Parameters:
    ///   - overflow: the overflow user's number.
    ///   - map: lines with the first number here, the first number outside, and the length of each range.
    init(list: String, overflow: String, map: String) {
        named = Set(list.split { ", ".contains($0) }.compactMap { uid_t($0) ?? getpwnam(String($0))?.pointee.pw_uid })
        let ranges = map.split(whereSeparator: \.isNewline).map { $0.split(separator: " ").compactMap { UInt64($0) } }
        let number = overflow.split(whereSeparator: \.isWhitespace).first.flatMap { uid_t($0) }
        // A map that can't be read says nothing about the namespace.
        let isUnmapped =
            !ranges.isEmpty
            && number.map { number in
                ranges.allSatisfy { $0.count == 3 && !($0[0]..<$0[0] + min($0[2], 1 << 32)).contains(UInt64(number)) }
            } == true
        self.overflow = isUnmapped ? number : nil
    }

    /// - Parameter mayWrite: whether the user can write the file.
    func contains(_ owner: uid_t, by user: uid_t, mayWrite: () -> Bool) -> Bool {
        owner == user || owner == 0 || named.contains(owner) || (owner == overflow && !mayWrite())
    }

    private static func text(of path: String) -> String {
        (try? PlainFile.read(path, atMost: 4096)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
