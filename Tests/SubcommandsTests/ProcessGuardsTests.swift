import Foundation
import Glibc
import Testing

@testable import Subcommands

@Suite("Process guards")
struct ProcessGuardsTests {
    @Test(
        "Without variables, the user's own bus is found, but nothing that others could have made",
        arguments: [(0o700, true, true), (0o755, true, false), (0o770, true, false), (0o700, false, false)])
    func sessionBus(mode: mode_t, isSocket: Bool, isFound: Bool) throws {
        let folder = NSTemporaryDirectory() + "bus-\(UUID().uuidString.prefix(8))"
        let runtime = "\(folder)/\(geteuid())"
        try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        chmod(runtime, mode)
        let path = "\(runtime)/bus"
        if isSocket {
            try Self.bind(path)
        } else {
            try Data().write(to: URL(fileURLWithPath: path))
        }
        #expect(ProcessGuards.sessionBus(of: geteuid(), in: folder) == (isFound ? "unix:path=\(path)" : nil))
        #expect(ProcessGuards.sessionBus(of: geteuid() + 1, in: folder) == nil)
    }

    private static func bind(_ path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
    }
}
