#if canImport(Testing)
import Foundation
import TerminalUI
import Testing

/// Compares screens, usually one at several sizes, with `Screens/NAME.screen` beside the test's file; see
/// ``GoldenText``.
package func expectGolden(
    _ surfaces: Surface..., name: String, testFile: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    expectGolden(GoldenText(surfaces).text, name: name, testFile: testFile, sourceLocation: sourceLocation)
}

/// Compares a text with `Screens/NAME.screen` beside the test's file.
///
/// With `KEYTURN_RECORD=1` in the environment the file is written instead, and the test fails, so that a recorded
/// screen is reviewed before it is committed.
///
/// - Parameter testFile: The file of the test.
package func expectGolden(
    _ shown: String, name: String, testFile: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) {
    expectGolden(shown, in: GoldenScreen(name: name, testFile: testFile).file, sourceLocation: sourceLocation)
}

/// Compares a text with a file, or records it.
package func expectGolden(_ shown: String, in file: URL, sourceLocation: SourceLocation = #_sourceLocation) {
    let golden = GoldenScreen(file: file)
    do {
        if GoldenScreen.isRecording {
            try golden.record(shown)
            Issue.record(
                "Recorded \(golden.file.path). Review it, then run the tests again.", sourceLocation: sourceLocation)
        } else if let problem = try golden.difference(from: shown) {
            Issue.record("\(problem)", sourceLocation: sourceLocation)
        }
    } catch {
        Issue.record(error, "\(golden.file.path)", sourceLocation: sourceLocation)
    }
}

/// Fails for a recorded file without a test, and for a name without a file.
package func expectGoldenFiles(
    _ names: [String], testFile: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let folder = GoldenScreen(name: "", testFile: testFile).file.deletingLastPathComponent()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(files) == Set(names.map { $0 + ".screen" }), sourceLocation: sourceLocation)
}

/// One recorded screen on disk.
package struct GoldenScreen {
    package let file: URL

    package init(file: URL) { self.file = file }

    package init(name: String, testFile: String) {
        file = URL(fileURLWithPath: testFile).deletingLastPathComponent()
            .appendingPathComponent("Screens").appendingPathComponent(name + ".screen")
    }

    package static var isRecording: Bool { ProcessInfo.processInfo.environment["KEYTURN_RECORD"] == "1" }

    package func record(_ text: String) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// The differences in readable form; nil without any.
    package func difference(from shown: String) throws -> String? {
        guard FileManager.default.fileExists(atPath: file.path) else {
            return "\(file.path) is missing. Record it with KEYTURN_RECORD=1. Shown:\n\(shown)"
        }
        let recorded = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        guard recorded != shown else { return nil }
        return "\(file.lastPathComponent) differs (- recorded, + shown):\n"
            + LineDifference(from: recorded, to: shown).text
    }
}

/// A line by line comparison of two texts in the format of `diff`, with every common line as context.
package struct LineDifference {
    package let text: String

    package init(from old: String, to new: String) {
        let old = old.split(separator: "\n", omittingEmptySubsequences: false)
        let new = new.split(separator: "\n", omittingEmptySubsequences: false)
        let changes = new.difference(from: old)
        let removed = Set(changes.removals.map(Self.offset))
        let added = Set(changes.insertions.map(Self.offset))
        var lines: [String] = []
        var next = 0
        for index in 0...old.count {
            if index < old.count, removed.contains(index) {
                lines.append("- " + old[index])
                continue
            }
            while next < new.count, added.contains(next) {
                lines.append("+ " + new[next])
                next += 1
            }
            guard index < old.count else { break }
            lines.append("  " + old[index])
            next += 1
        }
        text = lines.joined(separator: "\n")
    }

    private static func offset(_ change: CollectionDifference<Substring>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
#endif
