import Foundation
import OAuthCore
import Testing

@testable import LoopbackHTTP

@Suite("Exchanges of the loopback server") struct ExchangesTests {
    @Test("A handler that hangs is cancelled, and its client gets 504", .timeLimit(.minutes(1)))
    func hanging() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Never.self)
        let exchanges = Exchanges(
            port: 1, scheme: "http", limit: 0,
            handler: { _ in
                // Ends when the task is cancelled.
                for await _ in AsyncStream<Never>.makeStream().stream {}
                end.finish()
                return HTTPResponse(status: 200)
            }, tlsCame: {})
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        #expect(exchanges.serve(HTTPRequest(.get, url)).status == 504)
        for await _ in ended {}
    }
}
