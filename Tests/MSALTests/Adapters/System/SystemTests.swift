import Foundation
import MSAL
import Testing

@Suite("System")
struct SystemTests {
    @Test(
        "XDG directories",
        arguments: [
            (["HOME": "/h"], "/h/.local/state/keyturn", "/h/.cache/keyturn", nil),
            (
                ["HOME": "/h", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/c", "XDG_RUNTIME_DIR": "/r"],
                "/s/keyturn", "/c/keyturn", "/r/keyturn"
            ),
            (
                ["HOME": "/h", "XDG_STATE_HOME": "relative", "XDG_CACHE_HOME": "", "XDG_RUNTIME_DIR": "./r"],
                "/h/.local/state/keyturn", "/h/.cache/keyturn", nil
            ),
        ] as [([String: String], String, String, String?)])
    func directories(environment: [String: String], state: String, cache: String, runtime: String?) {
        let directories = XDGDirectories(environment: environment)
        #expect(directories.state.path == state)
        #expect(directories.cache.path == cache)
        #expect(directories.runtime?.path == runtime)
    }

    @Test("Random bytes have the requested number, and differ each time")
    func random() {
        #expect(SystemRandom().bytes(0).isEmpty)
        #expect(SystemRandom().bytes(33).count == 33)
        #expect(SystemRandom().bytes(32) != SystemRandom().bytes(32))
    }

    @Test("A cancelled sleep ends at once, however long it was", arguments: [100_000, 1e19, .infinity])
    func sleep(seconds: Double) async throws {
        let task = Task { try await SystemTime().sleep(seconds: seconds) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
