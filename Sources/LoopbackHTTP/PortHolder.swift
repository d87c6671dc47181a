import Foundation
import Glibc
import POSIX

/// Finds the process that listens on a port, from /proc, as far as this user has access.
enum PortHolder {
    /// Returns "python3 (process 123)", "a program of user 33", or `nil` when it is unknown.
    static func describe(port: UInt16) -> String? {
        let sockets = LocalSockets.firstFound(port: port) { sockets in
            let listening = sockets.listening(on: port)
            return listening.isEmpty ? nil : listening
        }
        guard let sockets, let first = sockets.first else { return nil }
        let links = Set(sockets.map { "socket:[\($0.inode)]" })
        guard let process = processes().first(where: { holds(links, process: $0) }) else {
            return "a program of user \(first.user)"
        }
        return process == "\(getpid())" ? "this program itself" : "\(name(of: process)) (process \(process))"
    }

    private static func processes() -> [String] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.filter { $0.allSatisfy(\.isNumber) }
    }

    private static func holds(_ links: Set<String>, process: String) -> Bool {
        let folder = "/proc/\(process)/fd"
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return descriptors.contains { descriptor in
            var target = [CChar](repeating: 0, count: 64)
            let count = readlink("\(folder)/\(descriptor)", &target, target.count)
            return count > 0
                && links.contains(String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
    }

    /// The name of a process, limited to plain characters, because a process can choose any name.
    private static func name(of process: String) -> String {
        let name = (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) ?? ""
        return printable(name)
    }

    static func printable(_ name: String) -> String {
        let plain = name.unicodeScalars.filter { $0.isASCII && $0.value > 0x20 && $0.value != 0x7F }
        return plain.isEmpty ? "a program" : String(String.UnicodeScalarView(plain))
    }
}
