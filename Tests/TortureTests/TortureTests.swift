import Foundation
import Testing

@Suite("A store under torture")
struct TortureTests {
    @Test("a small torture loses nothing and hangs nowhere")
    func small() async throws {
        let (status, output) = try await TortureTool.run(#"exec "$TORTURE" --small"#, environment: [:])
        #expect(status == 0, "\(output)")
        #expect(output.contains("SIGKILL while saving: 40 tried, 0 lost, 0 hung"))
        // Where the machine does not let them be tried, the tool says so.
        for fault in ["file system without room", "file system without inodes", "folder read-only"] {
            #expect(output.contains("\(fault): "), "\(output)")
        }
    }
}
