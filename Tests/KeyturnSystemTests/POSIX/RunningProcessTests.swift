import Foundation
import Glibc
import Testing

@testable import KeyturnSystem

struct RunningProcessTests {
    @Test("Finds the process that has a file open for writing, also after the file was replaced")
    func writer() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "keyturn-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/cache.json"
        try Data("{}".utf8).write(to: URL(filePath: path))
        let reader = try OpenedFile(path)
        let identity = try reader.version.identity
        #expect(RunningProcess.writing(identity, at: path) == nil)

        let writer = open(path, O_WRONLY | O_CLOEXEC)
        try #require(writer >= 0)
        #expect(RunningProcess.writing(identity, at: path) == RunningProcess(id: getpid()))
        try Data("[]".utf8).write(to: URL(filePath: path), options: .atomic)
        #expect(RunningProcess.writing(identity, at: path) == RunningProcess(id: getpid()))
        let replaced = try OpenedFile(path).version.identity
        #expect(RunningProcess.writing(replaced, at: path) == nil)
        close(writer)
        #expect(RunningProcess.writing(identity, at: path) == nil)
        #expect(try reader.content(atMost: 10) == Array("{}".utf8))
    }

    @Test("Names a process and its ID")
    func description() {
        #expect(RunningProcess(id: getpid()).description == "this program itself")
        let parent = RunningProcess(id: getppid()).description
        #expect(parent.hasSuffix(" (process \(getppid()))"))
    }

    @Test("A process's name cannot move the cursor")
    func names() {
        #expect(RunningProcess.printable("evil\u{1B}[2J\n") == "evil[2J")
        #expect(RunningProcess.printable("\n") == "a program")
    }

    @Test(
        "Is suspended if its status says so, whatever its name",
        arguments: [
            ("1 (a) T 0 1", true), ("1 (a) t 0 1", true), ("1 (a) S 0 1", false), ("1 (a) T b) R 0 1", false),
            ("1 (a) S) T 0 1", true), ("1 (a)", false), ("", false),
        ])
    func states(status: String, isStopped: Bool) {
        #expect(RunningProcess.isStopped(status) == isStopped)
    }

    @Test("Is found by its number")
    func own() {
        let own = RunningProcess(id: getpid())
        #expect(own.command != "a program" && !own.isStopped)
        #expect(RunningProcess(id: pid_t.max).description == "a program (process 2147483647)")
    }
}
