import Foundation
import Glibc
import Testing

@testable import MSAL

@Suite("Keys in memory")
struct KeyMemoryTests {
    /// In a separate process: the memory of this one is large, and other tests change it meanwhile.
    @Test("No copy of the data key is left when the store is closed")
    func closed() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            var store: SQLiteCredentialStore? = .of(folder)
            try store?.save(.test())
            let key = try MaskedBytes(file: folder.file(try #require(try folder.keyFiles().first)).path)
            #expect(try key.occurrencesInMemory() > 0, "the search finds a copy that is there")
            store = nil
            #expect(try key.occurrencesInMemory() == 0)
            #expect(try SQLiteCredentialStore.of(folder).all().count == 1)
            #expect(try key.occurrencesInMemory() == 0)
        }
    }
}

/// Bytes stored only in another form, so that the search does not find its own pattern.
private struct MaskedBytes {
    private static let mask: UInt8 = 0x5A
    private static let chunk = 1 << 20
    private var masked: [UInt8]

    init(file: String) throws {
        masked = [UInt8](repeating: 0, count: 32)
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        try #require(read(descriptor, &masked, masked.count) == masked.count)
        for index in masked.indices { masked[index] ^= Self.mask }
    }

    /// The writable memory of this process.
    func occurrencesInMemory() throws -> Int {
        let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { close(memory) }
        try #require(memory >= 0)
        let length = Self.chunk + masked.count
        let buffer = try #require(mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        defer { munmap(buffer, length) }
        var count = 0
        for (start, end) in try regions() where !(start..<end).contains(UInt(bitPattern: buffer)) {
            var position = start
            while position < end {
                let read = pread(memory, buffer, min(length, Int(end - position)), off_t(position))
                if read <= 0 { break }
                count += occurrences(in: buffer, read)
                position += UInt(Self.chunk)
            }
        }
        return count
    }

    private func occurrences(in buffer: UnsafeMutableRawPointer, _ length: Int) -> Int {
        var count = 0
        var position = 0
        let last = min(length - masked.count, Self.chunk - 1)
        while position <= last,
            let found = memchr(buffer + position, Int32(masked[0] ^ Self.mask), last - position + 1)
        {
            let bytes = found.assumingMemoryBound(to: UInt8.self)
            if masked.indices.allSatisfy({ bytes[$0] ^ Self.mask == masked[$0] }) { count += 1 }
            position = found - buffer + 1
        }
        return count
    }

    /// A sanitizer's mappings, larger than any machine's memory, are left out.
    private func regions() throws -> [(UInt, UInt)] {
        try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard fields[1].hasPrefix("rw"), bounds.count == 2, bounds[1] - bounds[0] < 1 << 30 else { return nil }
            return (bounds[0], bounds[1])
        }
    }
}
