import Foundation
import Testing

@testable import Diagnosis

@Suite("Files of a case")
struct CaseFilesTests {
    private static func files(_ text: String, name: String?) throws -> CaseFiles {
        let explainer = try Explainer(
            clientID: "",
            infoPlist: Array("<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>".utf8),
            now: Date(timeIntervalSince1970: 1_800_000_000))
        let copy = try #require(try explainer.examine(file: Array(text.utf8), copies: true).copy)
        return CaseFiles(copy, copied: copy.copied, name: name)
    }

    private static let text =
        "AADSTS50011: The redirect URI 'https://zoe.example/cb' specified in the request does not match. "
        + "Correlation ID: 5908900d-1324-4616-93a3-3f4db92a9c27 Zoe_<b>"

    @Test("The answer names the cause, the next step, who must act, and the IDs, and nothing that the copy hides")
    func answer() throws {
        let files = try Self.files(Self.text, name: "customer.LOG").files
        #expect(files.map(\.name) == ["evidence.log", "answer.md", "versions.txt"])
        let answer = files[1].text
        for part in [
            "# The redirect URI", "## Next step", "Who must act: the developer of the application.", "5908900d-1324",
        ] {
            #expect(answer.contains(part), "\(part)")
        }
        #expect(!files.map(\.text).joined().lowercased().contains("zoe"))
    }

    @Test("The answer names the party that the ticket names")
    func actor() throws {
        // Its row names the operator, whom the words of the step don't.
        let answer = try Self.files("docker: x509: certificate has expired or is not yet valid\n", name: nil).files[1]
            .text
        #expect(answer.contains("Who must act: whoever runs the network or the server."))
    }

    @Test("A folder of a case stands for its evidence")
    func folder() throws {
        #expect(CaseFiles.evidence(among: ["answer.md", "evidence.har", "handout.html"]) == "evidence.har")
        #expect(CaseFiles.evidence(among: ["evidence.har"]) == nil)
        #expect(try Self.files(Self.text, name: "a.verylong").files[0].name == "evidence.txt")
    }

    @Test("The archive has the checksums and sizes of ZIP")
    func archive() {
        // The check value of CRC-32 (ITU-T V.42) for 123456789.
        let bytes = StoredArchive([("a", Array("123456789".utf8))]).bytes
        #expect(Array(bytes[14..<18]) == [0x26, 0x39, 0xF4, 0xCB])
        #expect(Array(bytes[18..<22]) == [9, 0, 0, 0] && Array(bytes[31..<40]) == Array("123456789".utf8))
        #expect(Array(bytes.suffix(22).prefix(4)) == Array("PK\u{5}\u{6}".utf8))
        #expect(bytes == StoredArchive([("a", Array("123456789".utf8))]).bytes)
    }

    @Test("The archive of a case stands for its evidence; a damaged or foreign one doesn't")
    func unpacked() throws {
        let files = try Self.files(Self.text, name: "customer.log")
        #expect(CaseFiles.evidence(in: files.archive) == Array(files.files[0].text.utf8))
        for length in [0, 4, 29, 30, 44, 60] {
            #expect(CaseFiles.evidence(in: Array(files.archive.prefix(length))) == nil)
        }
        var damaged = files.archive
        damaged[45] ^= 1
        #expect(CaseFiles.evidence(in: damaged) == nil)
        #expect(CaseFiles.evidence(in: StoredArchive([("a", [1])]).bytes) == nil)
    }
}
