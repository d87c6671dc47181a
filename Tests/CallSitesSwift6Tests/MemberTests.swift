import MSAL
import Testing

@Suite("Public members") struct MemberTests {
    /// The declarations in docs/api-coverage.md, each with the type that it is a member of.
    private static func declarations(_ document: String) throws -> [(owner: String, member: String)] {
        let listed = try #require(document.components(separatedBy: "## Every symbol").last)
        var found: [(owner: String, member: String)] = []
        var owner = ""
        for line in listed.split(separator: "\n") {
            if let type = line.firstMatch(of: #/^(?:open |final )*(?:class|enum|struct|protocol) (\w+)/#) {
                owner = String(type.1)
            } else if let member = line.firstMatch(of: #/^    .*?\b(?:func|var|let|case) `?(?:\w+\.)*(\w+)/#) {
                found.append((owner, String(member.1)))
            } else if line.hasPrefix("    "), line.contains("init") {
                found.append((owner, "init"))
            } else if line.hasPrefix("###") {
                owner = ""
            } else if let name = line.firstMatch(of: #/^(?:let|func|typealias) (\w+)/#) {
                found.append(("", String(name.1)))
            }
        }
        return found
    }

    @Test("Each member in docs/api-coverage.md is used with its type written out")
    func coverage() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let root = folder.deletingLastPathComponent().deletingLastPathComponent()
        let document = try String(contentsOf: root.appending(path: "docs/api-coverage.md"), encoding: .utf8)
        let uses = try String(contentsOf: folder.appending(path: "Members.swift"), encoding: .utf8)
        let declarations = try Self.declarations(document)
        #expect(declarations.count > 380)
        let blocks = Dictionary(
            uses.components(separatedBy: "\nenum Uses").dropFirst().map { block in
                (String(block.prefix { $0 != " " }), block)
            }, uniquingKeysWith: { $0 + $1 })
        for (owner, member) in declarations {
            let place = owner.isEmpty ? uses : blocks[owner] ?? ""
            // A protocol's initialiser is called on a conforming type.
            let spellings = member == "init" ? ["\(owner)(", "Given("] : [member]
            #expect(spellings.contains(where: place.contains), "\(owner).\(member) is not used")
        }
    }
}
