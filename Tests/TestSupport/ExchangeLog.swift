import KeyturnSystem
import MSAL

/// Records the exchanges of a flow.
package final class ExchangeLog: Sendable {
    private let exchanges = Locked<[MSALFlowExchange]>([])

    package init() {}

    package var handler: @Sendable (MSALFlowExchange) -> Void {
        { [self] exchange in exchanges.withLock { $0.append(exchange) } }
    }

    package var all: [MSALFlowExchange] { exchanges.withLock { $0 } }
}
