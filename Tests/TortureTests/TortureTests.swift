import Foundation
import Testing

@Suite("A store under torture")
struct TortureTests {
    @Test("A small torture run loses nothing and hangs nowhere")
    func small() async throws {
        let (status, output) = try await TortureTool.run(#"exec "$TORTURE" --small"#, environment: [:])
        #expect(status == 0, "\(output)")
        #expect(output.contains("SIGKILL while saving: 40 tried, 0 lost, 0 hung"))
        #expect(output.contains("power cut: 40 tried, 0 lost, 0 hung"))
        for fault in ["rows or the database deleted", "store rolled back", "store replaced"] {
            #expect(output.contains("\(fault): 36 tried, 0 lost, 0 hung"), "\(output)")
        }
        // If the machine does not allow a fault, the tool says so.
        for fault in ["file system full", "file system without inodes", "folder read-only"] {
            #expect(output.contains("\(fault): "), "\(output)")
        }
    }

    @Test("A disk that ignores syncs loses data: the power cuts work")
    func lyingDisk() async throws {
        let (status, output) = try await TortureTool.run(
            #"exec "$TORTURE" --lying-disk 100 "power cut""#, environment: [:])
        #expect(status == 1, "\(output)")
        #expect(!output.contains(", 0 lost"), "\(output)")
    }
}
