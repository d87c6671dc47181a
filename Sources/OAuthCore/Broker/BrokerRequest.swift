/// One call of the identity broker for Linux (docs/upstream-behaviour.md §13): a method of its D-Bus interface with the
/// text that the method takes.
package struct BrokerRequest: Sendable, Equatable {
    /// Every method takes and gives texts of JSON: version, correlation ID and request in, the answer out.
    package enum Method: String, Sendable, CaseIterable {
        case getAccounts, getLinuxBrokerVersion, acquireTokenSilently, acquireTokenInteractively, removeAccount
        case cancelInteractiveFlow
    }

    /// What every caller sends.
    package static let protocolVersion = "0.0"
    /// What an application is registered with for the broker, whatever else it comes back to.
    package static let redirectURI = "https://login.microsoftonline.com/common/oauth2/nativeclient"

    package var method: Method
    package var body: JSONValue

    package init(_ method: Method, _ body: JSONValue) {
        self.method = method
        self.body = body
    }

    /// Which of the broker's accounts an application may know of.
    package static func accounts(clientID: String) -> BrokerRequest {
        BrokerRequest(.getAccounts, ["clientId": .string(clientID), "redirectUri": .string(redirectURI)])
    }

    package static let version = BrokerRequest(.getLinuxBrokerVersion, ["msalCppVersion": "1.0"])

    package static func remove(_ account: BrokerAccount, clientID: String) -> BrokerRequest {
        BrokerRequest(.removeAccount, ["clientId": .string(clientID), "account": account.json])
    }

    /// Ends the interactive call with the same correlation ID.
    package static func cancel(clientID: String) -> BrokerRequest {
        BrokerRequest(.cancelInteractiveFlow, ["clientId": .string(clientID), "redirectUri": .string(redirectURI)])
    }
}
