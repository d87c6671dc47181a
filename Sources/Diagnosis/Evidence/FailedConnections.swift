import Foundation
import OAuthCore

/// The connections of a log that were refused, and the servers in its URLs. A connection to another server than those of the
/// URLs is one to a proxy.
struct FailedConnections: Sendable {
    private struct Endpoint: Hashable {
        var host: String
        var port: Int
    }

    /// What precedes the host and port: curl, OkHttp and keyturn; Node; .NET; Go; aiohttp.
    private static let failures: [LogFile.Mark] = [
        "Failed to connect to ", "ECONNREFUSED ", "actively refused it. (", "Connection refused (", "dial tcp ",
        "Cannot connect to host ",
    ].map(LogFile.Mark.text)
    /// What precedes the server of a request.
    private static let servers: [LogFile.Mark] = ["https://", "http://", "Can't reach ", "host='"].map(
        LogFile.Mark.text)

    static let marks = failures + servers

    private static let proxyBefore = Pattern(#/(?i)proxy[^A-Za-z\n]{0,8}$/#)
    private static let server = Pattern(
        #/\/?(?<host>\[[0-9A-Fa-f:]+\]|[A-Za-z0-9._\-]+)(?:(?::| port |', port=)(?<port>[0-9]{1,5}))?/#)

    private var failed: [(endpoint: Endpoint, line: Int)] = []
    private var requested: Set<Endpoint> = []
    /// The proxies that the log names.
    private var proxies: Set<Endpoint> = []

    /// A long log repeats itself.
    private static let most = 2000
    private var tried = 0

    mutating func note(_ mark: LogFile.Mark, at range: Range<Int>, _ line: Int, in bytes: [UInt8]) {
        let isFailure = Self.failures.contains(mark)
        guard tried < Self.most, isFailure || Self.servers.contains(mark) else { return }
        tried += 1
        // The URL of the proxy itself, as in HTTPS_PROXY.
        let before = bytes[max(0, range.lowerBound - 24)..<range.lowerBound]
        let isProxy = String(decoding: before, as: UTF8.self).firstMatch(of: Self.proxyBefore.regex) != nil
        let rest = String(decoding: bytes[range.upperBound...].prefix(120), as: UTF8.self)
        guard
            let match = rest.prefixMatch(
                of: Self.server.regex)
        else { return }
        let port = match.port.flatMap { Int($0) }
        let host = match.host.lowercased()
        if isFailure {
            if let port { failed.append((Endpoint(host: host, port: port), line)) }
        } else {
            let endpoint = Endpoint(host: host, port: port ?? (mark == .text("http://") ? 80 : 443))
            if isProxy { proxies.insert(endpoint) } else { requested.insert(endpoint) }
        }
    }

    /// The host and port of a proxy that refused the connection, with the line.
    var proxy: (address: String, line: Int)? {
        let ports = Set(requested.map(\.port))
        let found = failed.first { failure in
            let endpoint = failure.endpoint
            if proxies.contains(endpoint) { return true }
            guard !requested.isEmpty else { return false }
            // Some programs write the IP address of the server that they look for.
            let isAddress = endpoint.host.allSatisfy { !$0.isLetter }
            let isSame = requested.contains(endpoint) || isAddress && ports.contains(endpoint.port)
            // The address of a cloud's metadata service.
            return !isSame && !endpoint.host.hasPrefix("169.254.") && Self.services[endpoint.port] == nil
        }
        return found.map { ("\($0.endpoint.host):\($0.endpoint.port)", $0.line) }
    }

    /// The servers at these ports are none of a sign-in (IANA's registry of ports, and the products' defaults).
    private static let services = [
        1433: "SQL Server", 1521: "Oracle", 3306: "MySQL", 5432: "PostgreSQL", 5672: "RabbitMQ", 6379: "Redis",
        9042: "Cassandra", 9092: "Kafka", 9200: "Elasticsearch", 11211: "memcached", 27017: "MongoDB",
    ]

    /// A database, cache or queue that refused the connection.
    var service: (name: String, address: String, line: Int)? {
        failed.lazy.compactMap { failure in
            guard !proxies.contains(failure.endpoint), let name = Self.services[failure.endpoint.port] else {
                return nil
            }
            return (name, "\(failure.endpoint.host):\(failure.endpoint.port)", failure.line)
        }.first
    }

    /// A refused connection to this computer, where the log names no other server.
    var here: (address: String, line: Int)? {
        guard requested.isEmpty, proxies.isEmpty, let first = failed.first, Loopback.contains(first.endpoint.host)
        else { return nil }
        return ("\(first.endpoint.host):\(first.endpoint.port)", first.line)
    }
}
