/// A call of the identity broker for Linux: a D-Bus method with its JSON argument (docs/upstream-behaviour.md §13).
package struct BrokerRequest: Sendable, Equatable {
    /// The methods. Each takes version, correlation ID and request as texts, and returns a text.
    package enum Method: String, Sendable, CaseIterable {
        case getAccounts, getLinuxBrokerVersion, acquireTokenSilently, acquireTokenInteractively, removeAccount
        case cancelInteractiveFlow
    }

    /// The protocol version that every caller sends.
    package static let protocolVersion = "0.0"
    /// The redirect URI that an application registers for the broker, besides its own.
    package static let redirectURI = "https://login.microsoftonline.com/common/oauth2/nativeclient"

    package var method: Method
    package var body: JSONValue

    package init(_ method: Method, _ body: JSONValue) {
        self.method = method
        self.body = body
    }

    /// Lists the accounts that an application may use.
    package static func accounts(clientID: String) -> BrokerRequest {
        BrokerRequest(.getAccounts, ["clientId": .string(clientID), "redirectUri": .string(redirectURI)])
    }

    package static let version = BrokerRequest(.getLinuxBrokerVersion, ["msalCppVersion": "1.0"])

    package static func remove(_ account: BrokerAccount, clientID: String) -> BrokerRequest {
        BrokerRequest(.removeAccount, ["clientId": .string(clientID), "account": account.json])
    }

    /// Cancels the interactive call with the same correlation ID.
    package static func cancel(clientID: String) -> BrokerRequest {
        BrokerRequest(.cancelInteractiveFlow, ["clientId": .string(clientID), "redirectUri": .string(redirectURI)])
    }
}
