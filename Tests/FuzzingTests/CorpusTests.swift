import Foundation
import Fuzzing
import Testing

/// A file of a target's corpus.
struct Sample: Sendable, CustomTestStringConvertible {
    let target: String
    let name: String
    let bytes: [UInt8]

    var testDescription: String { "\(target)/\(name)" }

    /// Inputs that once crashed a parser; they may be valid or invalid.
    var isFinding: Bool { name.hasPrefix("found-") }
    var isRejected: Bool { name.hasPrefix("refused-") }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    static let folders = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []

    static let all: [Sample] = folders.sorted().flatMap { target in
        let place = folder.appending(path: target)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.sorted().compactMap { name in
            (try? Data(contentsOf: place.appending(path: name))).map {
                Sample(target: target, name: name, bytes: Array($0))
            }
        }
    }
}

/// Runs the inputs that `make fuzz` starts from and its earlier findings through the same checks.
@Suite("Fuzzing: the corpus")
struct CorpusTests {
    @Test("Every property holds for every file", arguments: Sample.all)
    func replay(sample: Sample) throws {
        let target = try #require(FuzzTarget.named(sample.target))
        let outcome = try target.check(sample.bytes)
        #expect(sample.isFinding || outcome == (sample.isRejected ? .rejected : .accepted))
    }

    @Test("Every target has a corpus, and every corpus a target")
    func folders() {
        #expect(Sample.folders.sorted() == FuzzTarget.all.map(\.name).sorted())
        for target in FuzzTarget.all {
            let own = Sample.all.filter { $0.target == target.name && !$0.isFinding && !$0.isRejected }
            #expect(own.count >= 2, "\(target.name)")
        }
    }

    @Test("Every target accepts any file as input", arguments: FuzzTarget.all.map(\.name))
    func strangers(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        for sample in Sample.all where sample.target != name {
            #expect(throws: Never.self, "\(sample.testDescription)") { try target.check(sample.bytes) }
        }
    }
}
