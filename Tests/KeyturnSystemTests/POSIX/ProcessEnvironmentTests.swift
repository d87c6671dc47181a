import Foundation
import Glibc
import Testing

@testable import KeyturnSystem

@Suite("The environment")
struct ProcessEnvironmentTests {
    private func variables(_ entries: [String]) -> [String: String] {
        let list = entries.map { strdup($0) } + [nil]
        defer { list.forEach { free($0) } }
        return list.withUnsafeBufferPointer { $0.baseAddress.map(ProcessEnvironment.variables) ?? [:] }
    }

    @Test("Equals the one that Foundation reads")
    func sameAsFoundation() {
        #expect(ProcessEnvironment.variables == ProcessInfo.processInfo.environment)
        #expect(!ProcessEnvironment.variables.isEmpty)
    }

    @Test(
        "Names end at the first equals sign, and the first of equal names counts",
        arguments: [
            ([], [:]), (["A=1", "B=x=y", "C="], ["A": "1", "B": "x=y", "C": ""]), (["A=1", "A=2"], ["A": "1"]),
            (["nothing", "=x", "Ü=日本"], ["Ü": "日本"]),
        ] as [([String], [String: String])])
    func reading(entries: [String], expected: [String: String]) {
        #expect(variables(entries) == expected)
    }

    @Test("Bytes that are not UTF-8 are replaced")
    func otherBytes() {
        var entry = Array("A=x".utf8CString)
        entry[2] = -1
        let read = entry.withUnsafeMutableBufferPointer { entry in
            [entry.baseAddress, nil].withUnsafeBufferPointer {
                $0.baseAddress.map(ProcessEnvironment.variables) ?? [:]
            }
        }
        #expect(read == ["A": "\u{FFFD}"])
    }
}
