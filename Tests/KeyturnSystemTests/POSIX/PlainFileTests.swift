import Foundation
import Glibc
import Testing

@testable import KeyturnSystem

@Suite("Files that a user names")
struct PlainFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("plain-\(UUID().uuidString)")
        .path

    private func withFolder(_ body: () throws -> Void) throws {
        try #require(mkdir(folder, 0o700) == 0)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body()
    }

    @Test("Are read up to one byte over the limit, through a link only if links are allowed")
    func reading() throws {
        try withFolder {
            let path = "\(folder)/file"
            try #require(FileManager.default.createFile(atPath: path, contents: Data("0123456789".utf8)))
            try #require(symlink("file", "\(folder)/link") == 0)
            #expect(try PlainFile.read(path, atMost: 10).count == 10)
            #expect(try PlainFile.read("\(folder)/link", atMost: 4) == Array("01234".utf8))
            #expect(throws: PlainFile.Failure.system(ELOOP)) {
                try PlainFile.read("\(folder)/link", atMost: 4, follows: false)
            }
            #expect(throws: PlainFile.Failure.folder) { try PlainFile.read(folder, atMost: 4) }
            let missing = #expect(throws: PlainFile.Failure.self) { try PlainFile.read("\(path)/x", atMost: 4) }
            #expect(missing?.isMissing == true)
        }
    }

    @Test("Never block: a FIFO without a writer, a device and a socket are rejected")
    func special() throws {
        try withFolder {
            let path = "\(folder)/fifo"
            try #require(mkfifo(path, 0o600) == 0)
            try #require(symlink("fifo", "\(folder)/link") == 0)
            for path in [path, "\(folder)/link", "/dev/zero", "/dev/null", "/dev/tty"] {
                #expect(throws: PlainFile.Failure.self) { try PlainFile.read(path, atMost: 4) }
            }
            #expect(throws: PlainFile.Failure.notRegular) { try PlainFile.read("/dev/zero", atMost: 4) }
        }
    }

    /// A socket that returns each packet to a separate read, then the end.
    private func packets(_ sizes: [Int]) throws -> Int32 {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
        for (number, size) in sizes.enumerated() {
            try #require(send(ends[0], [UInt8](repeating: UInt8(number), count: size), size, 0) == size)
        }
        close(ends[0])
        return ends[1]
    }

    @Test("A file that arrives in parts is read to its end", arguments: [100, 15])
    func portions(limit: Int) throws {
        let file = try packets([3, 1, 11])
        defer { close(file) }
        let expected: [UInt8] = [0, 0, 0, 1] + [UInt8](repeating: 2, count: 11)
        #expect(PlainFile.content(of: file, atMost: limit) == expected)
    }

    @Test("A file over the limit is read up to one byte more")
    func limit() throws {
        let file = try packets([3, 5])
        defer { close(file) }
        #expect(PlainFile.content(of: file, atMost: 4)?.count == 5)
    }

    @Test("An unreadable file is not an empty file")
    func unreadable() throws {
        let file = open("/", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        #expect(PlainFile.content(of: file, atMost: 10) == nil)
    }
}
