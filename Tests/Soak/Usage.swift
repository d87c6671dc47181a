import Foundation

/// The resources of a process, as counted by the kernel.
struct Usage {
    let residentKibibytes: Int
    let descriptors: Int
    let threads: Int

    static func now() throws -> Usage {
        let fields = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
        func number(_ name: String) -> Int {
            fields.first { $0.hasPrefix(name) }.flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }
                .flatMap { Int($0) } ?? 0
        }
        return Usage(
            residentKibibytes: number("VmRSS:"),
            descriptors: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count,
            threads: number("Threads:"))
    }

    var line: String { "\(residentKibibytes) \(descriptors) \(threads)" }
}
