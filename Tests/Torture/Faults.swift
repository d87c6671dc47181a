import CKeyturnSQLite
import Foundation
import Glibc
import MSAL

/// The result of one fault.
struct Tally {
    var tried = 0
    /// Committed entries that are gone, unreadable files, tokens used twice.
    var lost = 0
    /// Processes that did not end by themselves in time.
    var hung = 0
}

/// Each fault: what happens to a store, and what must hold afterwards.
enum Fault: String, CaseIterable {
    case killedSaving = "SIGKILL while saving"
    case killedMigrating = "SIGKILL while migrating"
    case killedMoving = "SIGKILL while the key moves"
    case powerCut = "power cut"
    case emptied = "rows or the database deleted"
    case rolledBack = "store rolled back"
    case replaced = "store replaced"
    case crowd = "many processes on one store"
    case fullDisk = "disk full"
    case fullVolume = "file system full"
    case noMoreFiles = "file system without inodes"
    case readOnlyFolder = "folder read-only"

    func run(_ scale: Scale) throws -> Tally {
        switch self {
        case .killedSaving: try Self.killedSaving(scale)
        case .killedMigrating: try Self.killed(scale, source: "automatic", prepare: downgrade)
        case .killedMoving: try Self.killedMoving(scale)
        case .powerCut: try Self.powerCut(scale)
        case .emptied: try Self.emptied(scale)
        case .rolledBack: try Self.rolledBack(scale)
        case .replaced: try Self.replaced(scale)
        case .crowd: try Self.crowd(scale)
        case .fullDisk: try Self.fullDisk(scale)
        case .fullVolume: try Self.fullVolume(scale)
        case .noMoreFiles: try Self.noMoreFiles(scale)
        case .readOnlyFolder: try Self.readOnlyFolder(scale)
        }
    }
}

/// The number of attempts.
struct Scale {
    var kills = 1000
    var tampers = 200
    var volumes = 50
    /// The disk of the power cuts claims to have written data, and has not.
    var liesAboutSyncs = false
    var processes = 32
    var operations = 200
    static let small = Scale(kills: 40, tampers: 36, volumes: 4, processes: 8, operations: 50)
}

extension Scale {
    /// Each fault this many times.
    init(times: Int) { self.init(kills: times, tampers: times, volumes: times, processes: times) }
}

extension Fault {
    private static let longest: UInt32 = 60_000
    static let rows = 300

    private static func killedSaving(_ scale: Scale) throws -> Tally {
        var tally = Tally()
        let folder = try Scratch()
        for round in 0..<scale.kills {
            let client = "round\(round)"
            try Child("save", folder.path, "keyFile", client).kill(after: .random(in: 0...longest))
            tally.tried += 1
            let open = Store(folder.path, .keyFile).open()
            guard let records = try? open.records(matching: CredentialQuery(client: client)) else {
                tally.lost += 1
                continue
            }
            let saved = Worker.lines(of: folder.url.appending(path: "saved.\(client)"))
            let counts = Dictionary(grouping: records, by: \.key.homeAccountID).mapValues(\.count)
            tally.lost += saved.count { counts[$0] != Worker.parts } + counts.values.count { $0 != Worker.parts }
        }
        return tally
    }

    /// Opens a prepared store repeatedly, is killed each time, and checks that all rows are there.
    private static func killed(
        _ scale: Scale, source: String, prepare: (Store) throws -> Void
    ) throws -> Tally {
        var tally = Tally()
        let folder = try Scratch()
        var store = try filled(folder)
        for _ in 0..<scale.kills {
            try prepare(store)
            try Child("open", folder.path, source).kill(after: .random(in: 0...longest))
            tally.tried += 1
            store = Store(folder.path)
            let count = try? store.open().records(matching: CredentialQuery()).count
            tally.lost += count == rows ? 0 : 1
        }
        return tally
    }

    private static func killedMoving(_ scale: Scale) throws -> Tally {
        var tally = Tally()
        let folder = try Scratch()
        let store = try filled(folder)
        for round in 0..<scale.kills {
            let source = round % 2 == 0 ? "passphrase" : "keyFile"
            try Child("open", folder.path, source).kill(after: .random(in: 0...longest))
            tally.tried += 1
            let count = try? store.open().records(matching: CredentialQuery()).count
            tally.lost += count == rows ? 0 : 1
        }
        return tally
    }

    static func filled(_ folder: Scratch) throws -> Store {
        try Store(folder.path, .keyFile).open().update(matching: CredentialQuery(kinds: [])) { _ in
            (0..<rows).map { .save(Store.record("\($0)", client: "filled")) }
        }
        return Store(folder.path)
    }

    private static func crowd(_ scale: Scale) throws -> Tally {
        let folder = try Scratch()
        let children = try (0..<scale.processes).map {
            try Child("crowd", folder.path, "keyFile", "p\($0)", "\(scale.operations)")
        }
        var tally = Tally(tried: scale.processes * scale.operations)
        for child in children {
            switch child.status(within: 600) {
            case 0: break
            case nil: tally.hung += 1
            default: tally.lost += 1
            }
        }
        tally.lost += try Crowd.losses(
            Store(folder.path, .keyFile), processes: scale.processes, operations: scale.operations)
        return tally
    }
}

/// Converts the store to schema version 1, with its key in that version's place, and without an anchor.
private func downgrade(_ store: Store) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
    let first = store.file.path + ".key"
    if let name = names.first(where: { $0.hasSuffix(".key") && $0 != "cache.db.key" }) {
        rename(store.folder.appending(path: name).path, first)
    }
    unlink(store.file.path + ".anchor")
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    guard sqlite3_open(store.file.path, &database) == SQLITE_OK else { throw Worker.Misuse() }
    let sql = """
        BEGIN; DROP TABLE IF EXISTS seal; DROP TABLE account_digest; DROP TABLE digest_form; DROP TABLE data_key; DROP TABLE damaged_credential;
        PRAGMA user_version = 1; COMMIT
        """
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw Worker.Misuse() }
}
