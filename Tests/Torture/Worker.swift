import Foundation
import Glibc
import MSAL

/// The work of one torture process, until it ends or is killed.
enum Worker {
    /// Entries that are saved together: afterwards all of them are there, or none.
    static let parts = 3

    static func run(_ arguments: [String]) throws {
        guard arguments.count >= 3 else { throw Misuse() }
        let store = Store(arguments[1], MSALCacheKeySource(rawValue: arguments[2]) ?? .automatic)
        let rest = Array(arguments.dropFirst(3))
        switch arguments[0] {
        case "save": try save(store, client: rest.first ?? "")
        case "open": _ = try store.open().protection()
        case "store": try show(store)
        case "limited": try saveLimited(store, bytes: rest.first.flatMap(UInt.init) ?? 0)
        case "unprivileged":
            if geteuid() == 0, setgid(nobody) != 0 || setuid(nobody) != 0 { throw Misuse() }
            try fill(store)
        case "known":
            for (program, item) in try KnownKeyringCaches.all() {
                print("\(program): \(item.schema), \(item.content.count) bytes")
            }
        case "crowd": try Crowd.work(store, name: rest.first ?? "", operations: rest.last.flatMap(Int.init) ?? 0)
        default: throw Misuse()
        }
    }

    struct Misuse: Error {}

    /// The user and the group that own nothing.
    static let nobody: UInt32 = 65534

    /// Saves until it is killed, and records each completed save.
    private static func save(_ store: Store, client: String) throws {
        let open = store.open()
        for number in 0... {
            try open.update(matching: CredentialQuery(kinds: [])) { _ in
                (0..<parts).map { .save(Store.record("\(number)", client: client, part: $0)) }
            }
            try append("\(number)", to: store.folder.appending(path: "saved.\(client)"))
        }
    }

    /// As on a full disk: no file grows beyond `bytes`.
    private static func saveLimited(_ store: Store, bytes: UInt) throws {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
        guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { throw Misuse() }
        try fill(store)
    }

    static func fill(_ store: Store) throws {
        let open = store.open()
        for number in 0..<5000 {
            try open.update(matching: CredentialQuery(kinds: [])) { _ in
                [.save(Store.record("fill.\(number)", client: "fill"))]
            }
        }
    }

    /// Saves one entry, reads it again, and names the key's place.
    private static func show(_ store: Store) throws {
        var store = store
        store.hasPassphrase = false
        let open = store.open()
        try open.update(matching: CredentialQuery(kinds: [])) { _ in [.save(Store.record("shown", client: "show"))] }
        let count = try open.records(matching: CredentialQuery()).count
        let protection = try open.protection()
        print("\(protection.kind.rawValue) \(count) \(protection.explanation)")
    }

    /// Prints one line, whole or not at all.
    static func append(_ line: String, to file: URL) throws {
        let descriptor = Glibc.open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Misuse() }
        defer { close(descriptor) }
        let bytes = Array("\(line)\n".utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw Misuse() }
    }

    static func lines(of file: URL) -> [String] {
        guard let data = FileManager.default.contents(atPath: file.path) else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
