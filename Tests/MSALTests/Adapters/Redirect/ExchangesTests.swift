import Foundation
import OAuthCore
import Testing

@testable import LoopbackHTTP

@Suite("Exchanges of the loopback server") struct ExchangesTests {
    @Test("A handler that hangs is cancelled, and its client gets 504", .timeLimit(.minutes(1)))
    func hanging() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Never.self)
        let exchange = try StreamedExchange(HTTPRequest(.get, #require(URL(string: "http://127.0.0.1:1/"))), seconds: 0)
        exchange.begin(
            Task {
                // Ends when the task is cancelled.
                for await _ in AsyncStream<Never>.makeStream().stream {}
                end.finish()
            })
        #expect(exchange.response { false }.head.status == 504)
        for await _ in ended {}
    }
}
