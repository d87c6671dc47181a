import CSystem
import Console
import Foundation
import Glibc
import JSON
import KeyturnSystem

/// A file about this process's door, so that the terminal program can list it: in `$XDG_RUNTIME_DIR/keyturn/doors`. The kernel
/// releases its lock with the process, so a file without a lock is a leftover.
final class DoorFile: Sendable {
    private let door: Locked<OpenDoor>
    private let path: String
    private let descriptor: Int32
    private let isRemoved = Locked(false)

    /// `nil` if that is impossible, which is no reason to keep the door closed.
    init?(_ door: OpenDoor, in environment: [String: String]) {
        path = "\(Self.folder(in: environment))/\(getpid())"
        guard let file = FileLocks.open(path) else { return nil }
        descriptor = file
        self.door = Locked(door)
        _ = keyturn_lock_byte(descriptor, Self.lockedByte)
        keyturn_lock_name_holder(descriptor, Self.lockedByte)
        write(door)
    }

    deinit {
        remove()
        close(descriptor)
    }

    /// Takes a door that gives nothing any more from the list.
    func remove() {
        if !isRemoved.withLock({ replace(&$0, with: true) }) { unlink(path) }
    }

    func note(port: UInt16, allowed: [String] = []) { change { ($0.port, $0.allowed) = (Int(port), allowed) } }

    /// - Parameter difference: 1 when a request begins, -1 when it ends.
    func note(running difference: Int) { change { $0.running += difference } }

    func note(isRejected: Bool = false, at date: Date) {
        change { door in
            door.requests += 1
            if isRejected { door.rejected += 1 }
            door.lastRequestAt = date
        }
    }

    /// Writes under the lock, so that no earlier state replaces a later one.
    private func change(_ edit: (inout OpenDoor) -> Void) {
        door.withLock { door in
            edit(&door)
            write(door)
        }
    }

    /// Beyond the content.
    private static let lockedByte: Int64 = 1 << 20
    private static let mostBytes = 1 << 14

    private static func folder(in environment: [String: String]) -> String {
        BaseDirectory.runtime(in: environment) + "/keyturn/doors"
    }

    /// The length stays the same, so a reader sees no remains of a longer text.
    private func write(_ door: OpenDoor) {
        let bytes = Array(door.json.serialized.utf8)
        let padded = bytes + Array(repeating: UInt8(ascii: " "), count: max(0, 4096 - bytes.count))
        _ = padded.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// The open doors of this user, the oldest first. Deletes leftovers.
    static func all(in environment: [String: String]) -> [OpenDoor] {
        let folder = folder(in: environment)
        guard FileTrust.distrust(of: folder) == nil else { return [] }
        let names = ((try? PlainFile.names(in: folder)) ?? []).map(\.name)
        return names.compactMap { read("\(folder)/\($0)") }.sorted { $0.openedAt < $1.openedAt }
    }

    private static func read(_ path: String) -> OpenDoor? {
        let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard keyturn_lock_byte(file, lockedByte) == EAGAIN else {
            unlink(path)
            return nil
        }
        let content = try? PlainFile.read(path, atMost: mostBytes, follows: false)
        guard let content, let json = try? JSONValue(parsing: content), var door = OpenDoor(json) else { return nil }
        door.process = keyturn_lock_holder(file, lockedByte)
        return door.process > 0 ? door : nil
    }

    static func shut(_ door: OpenDoor, in environment: [String: String]) async {
        func isOpen() -> Bool {
            all(in: environment).contains { $0.process == door.process && $0.openedAt == door.openedAt }
        }
        guard isOpen() else { return }
        kill(door.process, SIGTERM)
        // Two seconds for its end.
        for _ in 0..<40 where isOpen() { try? await sleep(for: .milliseconds(50)) }
    }
}

extension OpenDoor {
    fileprivate var json: JSONValue {
        .object([
            "kind": .string(kind.rawValue), "program": .string(String(program.prefix(200))),
            "place": .string(String(place.prefix(1000))), "openedAt": .number(openedAt.timeIntervalSince1970),
            "lastRequestAt": lastRequestAt.map { .number($0.timeIntervalSince1970) } ?? .null,
            "requests": .integer(Int64(requests)), "rejected": .integer(Int64(rejected)),
            "port": .integer(Int64(port)), "running": .integer(Int64(running)),
            "allowed": JSONValue(allowed.prefix(20).map { String($0.prefix(100)) }),
        ])
    }

    fileprivate init?(_ json: JSONValue) {
        guard let kind = json["kind"]?.string.flatMap(Kind.init), let openedAt = json["openedAt"]?.double else {
            return nil
        }
        self.init(
            process: 0, kind: kind, program: json["program"]?.string ?? "", place: json["place"]?.string ?? "",
            openedAt: Date(timeIntervalSince1970: openedAt))
        lastRequestAt = json["lastRequestAt"]?.double.map(Date.init(timeIntervalSince1970:))
        (requests, rejected) = (json["requests"]?.integer ?? 0, json["rejected"]?.integer ?? 0)
        (port, running) = (json["port"]?.integer ?? 0, json["running"]?.integer ?? 0)
        allowed = json["allowed"]?.strings ?? []
    }
}
