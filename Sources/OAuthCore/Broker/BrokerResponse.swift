/// The response of a broker method as an object (docs/upstream-behaviour.md §13).
///
/// A rejected request is also a success in D-Bus; the response then has an `error`, possibly in its
/// `brokerTokenResponse`.
package struct BrokerResponse: Sendable, Equatable {
    package static let maximumBytes = 1 << 20

    let members: [String: JSONValue]

    package init(parsing text: Secret) throws(TokenResponseFailure) {
        let bytes = Array(text.reveal().utf8)
        guard bytes.count <= Self.maximumBytes else { throw .malformed(.tooLarge(limit: Self.maximumBytes)) }
        guard let read = try? JSONValue.read(bytes), let members = read.value.object else {
            throw .malformed(.notJSONObject)
        }
        guard !read.hasRepeatedMembers else { throw .malformed(.repeatedMembers) }
        self.members = members
    }

    /// The accounts with an identifier, and the number of the others.
    package func accounts() throws -> (known: [BrokerAccount], unreadable: Int) {
        let list = try result("accounts", \.array)
        let known = list.compactMap(BrokerAccount.init)
        return (known, list.count - known.count)
    }

    package func version() throws -> String { try result("linuxBrokerVersion", \.string) }

    /// Throws if the response has an error, for methods without a result.
    package func confirm() throws(BrokerRejection) { try checkRejection(members["error"]) }

    func checkRejection(_ error: JSONValue?) throws(BrokerRejection) {
        guard let error, error != .null else { return }
        throw BrokerRejection(error, brokerVersion: brokerVersion)
    }

    /// The result of a method. Throws the ``BrokerRejection`` in its place, or a ``TokenResponseFailure``.
    func result<Value>(_ name: String, _ value: (JSONValue) -> Value?) throws -> Value {
        try confirm()
        guard let member = members[name] else { throw TokenResponseFailure.malformed(.missing(member: name)) }
        guard let value = value(member) else { throw TokenResponseFailure.malformed(.wrongType(member: name)) }
        return value
    }

    package var brokerVersion: String? { members["telemetry"]?["broker_version"]?.string }
}
