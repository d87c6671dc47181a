/// The response of a broker method as an object (docs/upstream-behaviour.md §13).
///
/// A rejected request is also a success in D-Bus; the response then has an `error`, possibly in its
/// `brokerTokenResponse`.
package struct BrokerResponse: Sendable, Equatable {
    package static let maximumBytes = 1 << 20

    /// The reason why a response has no result.
    package enum Failure: Error, Sendable, Equatable {
        case rejected(BrokerRejection)
        case malformed(TokenResponseFailure.Fact)
    }

    let members: [String: JSONValue]

    package init(parsing text: Secret) throws(Failure) {
        let bytes = Array(text.reveal().utf8)
        guard bytes.count <= Self.maximumBytes else { throw .malformed(.tooLarge(limit: Self.maximumBytes)) }
        guard let read = try? JSONValue.read(bytes), let members = read.value.object else {
            throw .malformed(.notJSONObject)
        }
        guard !read.hasRepeatedMembers else { throw .malformed(.repeatedMembers) }
        self.members = members
    }

    /// The accounts with an identifier, and the number of the others.
    package func accounts() throws(Failure) -> (known: [BrokerAccount], unreadable: Int) {
        try checkRejection(members["error"])
        guard let list = members["accounts"] else { throw .malformed(.missing(member: "accounts")) }
        guard let list = list.array else { throw .malformed(.wrongType(member: "accounts")) }
        let known = list.compactMap(BrokerAccount.init)
        return (known, list.count - known.count)
    }

    package func version() throws(Failure) -> String {
        try checkRejection(members["error"])
        guard let version = members["linuxBrokerVersion"] else {
            throw .malformed(.missing(member: "linuxBrokerVersion"))
        }
        guard let text = version.string else { throw .malformed(.wrongType(member: "linuxBrokerVersion")) }
        return text
    }

    /// Throws if the response has an error, for methods without a result.
    package func confirm() throws(Failure) { try checkRejection(members["error"]) }

    func checkRejection(_ error: JSONValue?) throws(Failure) {
        guard let error, error != .null else { return }
        throw .rejected(BrokerRejection(error, brokerVersion: brokerVersion))
    }

    package var brokerVersion: String? { members["telemetry"]?["broker_version"]?.string }
}
