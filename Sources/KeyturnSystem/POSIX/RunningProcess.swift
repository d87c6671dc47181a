import Foundation
import Glibc

/// A process of this computer, as far as `/proc` shows it to this user (proc(5)).
package struct RunningProcess: Sendable, Equatable, CustomStringConvertible {
    package let id: pid_t

    package init(id: pid_t) { self.id = id }

    /// - Parameter isMeant: gets the target of a descriptor's link in `/proc/PID/fd`, and the process with the descriptor.
    package static func first(
        withDescriptor isMeant: (_ target: String, _ process: RunningProcess, _ descriptor: String) -> Bool
    ) -> RunningProcess? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.lazy.compactMap { pid_t($0).map(RunningProcess.init) }.first { process in
            process.descriptors.contains { descriptor in
                guard let target = process.target(of: descriptor) else { return false }
                return isMeant(target, process, descriptor)
            }
        }
    }

    /// A process of another user or container stays hidden.
    ///
    /// - Parameter path: the process may use another one with the same last component.
    package static func writing(_ file: FileIdentity, at path: String) -> RunningProcess? {
        let name = "/\(path.fileName)"
        return first { target, process, descriptor in
            // Other files aren't accessed: one may be on a server that doesn't respond.
            (target.hasSuffix(name) || target.hasSuffix("\(name) (deleted)"))
                && process.identity(of: descriptor) == file && process.writes(to: descriptor)
        }
    }

    package var description: String { id == getpid() ? "this program itself" : "\(command) (process \(id))" }

    package var command: String { Self.printable(file("comm")) }

    /// By a signal or a debugger.
    package var isStopped: Bool { Self.isStopped(file("stat")) }

    /// A name limited to plain characters, because a process can choose any name.
    static func printable(_ name: String) -> String {
        let plain = name.unicodeScalars.filter { $0.isASCII && $0.value > 0x20 && $0.value != 0x7F }
        return plain.isEmpty ? "a program" : String(String.UnicodeScalarView(plain))
    }

    /// - Parameter status: the content of `stat`. Its second field is the command in parentheses, which can contain others.
    static func isStopped(_ status: String) -> Bool {
        let state = status.lastIndex(of: ")").flatMap { status[$0...].dropFirst(2).first }
        return state == "T" || state == "t"
    }

    private func file(_ name: String) -> String {
        (try? String(contentsOfFile: "/proc/\(id)/\(name)", encoding: .utf8)) ?? ""
    }

    private var descriptors: [String] { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd")) ?? [] }

    private func target(of descriptor: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/fd/\(descriptor)")
    }

    private func identity(of descriptor: String) -> FileIdentity? {
        var status = stat()
        return stat("/proc/\(id)/fd/\(descriptor)", &status) == 0 ? FileIdentity(status) : nil
    }

    private func writes(to descriptor: String) -> Bool {
        let text = (try? String(contentsOfFile: "/proc/\(id)/fdinfo/\(descriptor)", encoding: .utf8)) ?? ""
        let flags = text.split(separator: "\n").first { $0.hasPrefix("flags:") }?.split(separator: "\t").last
        return flags.flatMap { Int32($0, radix: 8) }.map { $0 & O_ACCMODE != O_RDONLY } ?? false
    }
}

extension Duration {
    /// `timeout` signals a process and its group: within this time, that is one interruption.
    package static let signalEcho = Duration.milliseconds(300)
}
