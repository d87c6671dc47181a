import Foundation
import Glibc
import MSAL

/// Disks that reject writes.
extension Fault {
    /// A limit on the size of files simulates the full disk: it needs no privileges, and SQLite meets it at any write.
    static func fullDisk(_ scale: Scale) throws -> Tally {
        var tally = Tally()
        for _ in 0..<scale.volumes {
            let folder = try Scratch()
            let store = try filled(folder)
            let limit = UInt.random(in: 0...600_000)
            tally.mustFail(try Child("limited", folder.path, "keyFile", "\(limit)"))
            tally.mustHold(store)
        }
        return tally
    }

    /// A real full disk: each file system has another size, so that it is full at another write.
    static func fullVolume(_ scale: Scale) throws -> Tally {
        var tally = Tally()
        for _ in 0..<scale.volumes {
            guard let folder = try Scratch(volume: "size=16m") else { return skipped(.fullVolume) }
            let store = try filled(folder)
            let kibibytes = folder.usedKibibytes + Int.random(in: 0...2900)
            guard folder.remount("size=\(kibibytes)k") else { return skipped(.fullVolume) }
            tally.mustFail(try Child("limited", folder.path, "keyFile", "\(UInt.max)"))
            tally.mustHold(store)
        }
        return tally
    }

    /// No file can be created: neither the store's, nor SQLite's additional ones.
    static func noMoreFiles(_ scale: Scale) throws -> Tally {
        var tally = Tally()
        guard let empty = try Scratch(volume: "size=16m,nr_inodes=1") else { return skipped(.noMoreFiles) }
        tally.mustFail(try Child("limited", empty.path, "keyFile", "\(UInt.max)"))

        guard let folder = try Scratch(volume: "size=16m") else { return skipped(.noMoreFiles) }
        let store = try filled(folder)
        // A store from another machine, for example: without its companion files.
        let away = try Scratch()
        for name in ["cache.db-wal", "cache.db-shm"] {
            try FileManager.default.moveItem(
                at: folder.url.appending(path: name), to: away.url.appending(path: name))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard folder.remount("nr_inodes=\(names.count + 1)") else { return skipped(.noMoreFiles) }
        tally.mustFail(try Child("limited", folder.path, "keyFile", "\(UInt.max)"))
        guard folder.remount("nr_inodes=1000") else { return skipped(.noMoreFiles) }
        for name in ["cache.db-wal", "cache.db-shm"] {
            try FileManager.default.moveItem(
                at: away.url.appending(path: name), to: folder.url.appending(path: name))
        }
        tally.mustHold(store)
        return tally
    }

    /// Root may write anywhere, so root becomes `nobody` first.
    static func readOnlyFolder(_ scale: Scale) throws -> Tally {
        var tally = Tally()
        let empty = try Scratch()
        let folder = try Scratch()
        let store = try filled(folder)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for path in [empty.path, folder.path] + files.map({ "\(folder.path)/\($0)" }) {
            if geteuid() == 0, chown(path, Worker.nobody, Worker.nobody) != 0 { return skipped(.readOnlyFolder) }
        }
        for path in [empty.path, folder.path] { chmod(path, 0o500) }
        tally.mustFail(try Child("unprivileged", empty.path, "keyFile"))
        // With all files in place it may be written: only losses count.
        if try Child("unprivileged", folder.path, "keyFile").status(within: 60) == nil { tally.hung += 1 }
        for path in [empty.path, folder.path] { chmod(path, 0o700) }
        for path in [empty.path, folder.path] + files.map({ "\(folder.path)/\($0)" }) {
            guard chown(path, geteuid(), getegid()) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EPERM) }
        }
        tally.mustHold(store)
        return tally
    }

    private static func skipped(_ fault: Fault) -> Tally {
        print("  (\(fault.rawValue): not tried, because this process may not mount a file system or change owners)")
        return Tally()
    }
}

extension Tally {
    /// It must end by itself and report the problem, rather than succeed or crash.
    fileprivate mutating func mustFail(_ child: Child) {
        tried += 1
        switch child.status(within: 60) {
        case 1: break
        case nil: hung += 1
        default: lost += 1
        }
    }

    /// The earlier content is still there.
    fileprivate mutating func mustHold(_ store: Store) {
        let count = try? store.open().records(matching: CredentialQuery(client: "filled")).count
        lost += count == Fault.rows ? 0 : 1
    }
}
