import KeyturnCrypto

/// A request for claims in tokens: the `claims` parameter (OpenID Connect Core §5.5, docs/upstream-behaviour.md §11).
package struct ClaimsRequest: Sendable, Hashable {
    /// Limited, because it becomes part of a URL.
    package static let maximumBytes = 64 * 1024

    package enum Target: String, Sendable, CaseIterable {
        case idToken = "id_token"
        case accessToken = "access_token"
    }

    /// The requirements on a claim (OpenID Connect Core §5.5.1).
    package struct Details: Sendable, Hashable {
        package var isEssential: Bool?
        package var value: JSONValue?
        package var values: [JSONValue]?

        package init(isEssential: Bool? = nil, value: JSONValue? = nil, values: [JSONValue]? = nil) {
            (self.isEssential, self.value, self.values) = (isEssential, value, values)
        }
    }

    package struct Claim: Sendable, Hashable {
        package var name: String
        /// The requirements, or `nil` for a voluntary claim (`null` in JSON).
        package var details: Details?

        package init(_ name: String, _ details: Details? = nil) { (self.name, self.details) = (name, details) }
    }

    private var claims: [Target: [Claim]] = [:]

    package init() {}

    package var isEmpty: Bool { claims.values.allSatisfy(\.isEmpty) }

    /// In the order of the requests, or by name if they came from JSON.
    package func claims(for target: Target) -> [Claim] { claims[target] ?? [] }

    /// Requests a claim and replaces an earlier request for it.
    package mutating func request(_ claim: Claim, for target: Target) {
        remove(claim.name, for: target)
        claims[target, default: []].append(claim)
    }

    /// Returns `false` when the claim wasn't requested.
    @discardableResult
    package mutating func remove(_ name: String, for target: Target) -> Bool {
        guard let index = claims(for: target).firstIndex(where: { $0.name == name }) else { return false }
        claims[target]?.remove(at: index)
        return true
    }

    /// Adds the client capabilities (`xms_cc`), replacing existing ones.
    package func adding(capabilities: [String]) -> ClaimsRequest {
        guard !capabilities.isEmpty else { return self }
        var all = self
        all.request(Claim("xms_cc", Details(values: capabilities.map(JSONValue.string))), for: .accessToken)
        return all
    }
}

extension ClaimsRequest {
    package enum Malformed: Error, Sendable, Equatable {
        case tooLarge(limit: Int)
        case notJSONObject
        case unknownTarget(String)
        case targetNotObject(Target)
        case malformedClaim(String)

        package var reason: String {
            switch self {
            case .tooLarge(let limit): "The claims request is longer than \(limit / 1024) KiB."
            case .notJSONObject: "The claims request is not a JSON object, nor one in base64."
            case .unknownTarget(let name):
                "The claims request has the member \"\(name)\", but only id_token and access_token are allowed."
            case .targetNotObject(let target): "In the claims request, \(target.rawValue) is not a JSON object."
            case .malformedClaim(let name):
                "In the claims request, \"\(name)\" is neither null nor an object with essential (true or false), "
                    + "value and values (a list)."
            }
        }
    }

    package init(parsing text: String) throws(Malformed) {
        guard text.utf8.count <= Self.maximumBytes else { throw .tooLarge(limit: Self.maximumBytes) }
        guard let targets = (try? JSONValue(parsing: text))?.object else { throw .notJSONObject }
        for (name, value) in targets.sorted(by: { $0.key < $1.key }) {
            guard let target = Target(rawValue: name) else { throw .unknownTarget(name) }
            guard let members = value.object else { throw .targetNotObject(target) }
            claims[target] = try Self.claims(members)
        }
    }

    /// Reads the claims of a challenge: JSON, or JSON in base64 or base64url, with or without padding.
    package init(challenge text: String) throws(Malformed) {
        let text = text.trimmed
        guard !text.hasPrefix("{"), text.utf8.count <= 2 * Self.maximumBytes else {
            try self.init(parsing: text)
            return
        }
        let digits = text.map { character -> Character in character == "+" ? "-" : character == "/" ? "_" : character }
        let encoded = String(digits).split(separator: "=", omittingEmptySubsequences: false)
        guard encoded.dropFirst().allSatisfy(\.isEmpty), let bytes = encoded.first.flatMap({ Base64URL.decode($0) })
        else { throw .notJSONObject }
        try self.init(parsing: String(decoding: bytes, as: UTF8.self))
    }

    /// The claims of both requests. Those of `other` replace the same claims.
    package func merging(_ other: ClaimsRequest) -> ClaimsRequest {
        var all = self
        for target in Target.allCases {
            for claim in other.claims(for: target) { all.request(claim, for: target) }
        }
        return all
    }

    private static func claims(_ members: [String: JSONValue]) throws(Malformed) -> [Claim] {
        try members.sorted { $0.key < $1.key }.map { name, value throws(Malformed) in
            let details = value.object.flatMap(Details.init)
            guard !name.isEmpty, details != nil || value == .null else { throw .malformedClaim(name) }
            return Claim(name, details)
        }
    }

    /// The request as JSON, `{}` without claims. Omits empty targets.
    package var json: JSONValue {
        let targets = claims.filter { !$0.value.isEmpty }.map { target, claims in
            let members = claims.map { ($0.name, $0.details?.json ?? .null) }
            return (target.rawValue, JSONValue.object(Dictionary(uniqueKeysWithValues: members)))
        }
        return .object(Dictionary(uniqueKeysWithValues: targets))
    }
}

extension ClaimsRequest.Details {
    fileprivate var json: JSONValue {
        JSONValue(members: [
            "essential": isEssential.map(JSONValue.bool), "value": value, "values": values.map(JSONValue.array),
        ])
    }

    /// Returns `nil` when a member has the wrong type. Ignores unknown members (OpenID Connect Core §5.5.1), unless
    /// there are no others.
    fileprivate init?(_ members: [String: JSONValue]) {
        value = members["value"]
        let essential = members["essential"]
        isEssential = essential?.bool ?? essential?.integer.map { $0 != 0 }
        values = members["values"]?.array
        guard (isEssential == nil) == (essential == nil), (values == nil) == (members["values"] == nil) else {
            return nil
        }
        guard members.isEmpty || self != ClaimsRequest.Details() else { return nil }
    }
}
