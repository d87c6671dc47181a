import Foundation
import OAuthCore

/// The refused connections and the servers in a log's URLs: a connection to another server than these is one to a proxy.
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
    private static let servers: [LogFile.Mark] = ["https://", "http://", "Can't reach ", "host='"].map(
        LogFile.Mark.text)

    static let marks = failures + servers

    private static let proxyBefore = Pattern(#/(?i)proxy[^A-Za-z\n]{0,8}$/#)
    private static let server = Pattern(
        #/\/?(?<host>\[[0-9A-Fa-f:]+\]|[A-Za-z0-9._\-]+)(?:(?::| port |', port=)(?<port>[0-9]{1,5}))?/#)

    private var failed: [(endpoint: Endpoint, line: Int)] = []
    private var requested: Set<Endpoint> = []
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
        guard let match = rest.prefixMatch(of: Self.server.regex) else { return }
        let port = match.port.flatMap { Int($0) }
        let host = match.host.lowercased()
        if isFailure {
            if let port { failed.append((Endpoint(host: host, port: port), line)) }
        } else {
            let endpoint = Endpoint(host: host, port: port ?? (mark == .text("http://") ? 80 : 443))
            if isProxy { proxies.insert(endpoint) } else { requested.insert(endpoint) }
        }
    }

    /// A refused connection to a proxy, which the log can name, or to this computer if it has no other server.
    var unreachable: (cause: String, address: String, line: Int, isNamed: Bool)? {
        let ports = Set(requested.map(\.port))
        let found = failed.first { failure in
            let endpoint = failure.endpoint
            // Some programs write the IP address of the server that they look for.
            let isAddress = endpoint.host.allSatisfy { !$0.isLetter }
            let isSame = requested.contains(endpoint) || isAddress && ports.contains(endpoint.port)
            // The address of a cloud's metadata service is no proxy.
            let isOther =
                requested.isEmpty
                ? proxies.isEmpty && failure.line == failed[0].line && Loopback.contains(endpoint.host)
                : !isSame && !endpoint.host.hasPrefix("169.254.")
            return proxies.contains(endpoint) || isOther && !Self.services.contains(endpoint.port)
        }
        return found.map {
            let cause = requested.isEmpty && proxies.isEmpty ? "nothing-listens-here" : "proxy-stopped"
            return (cause, "\($0.endpoint.host):\($0.endpoint.port)", $0.line, proxies.contains($0.endpoint))
        }
    }

    /// Databases, caches and queues (IANA's registry of ports, and the products' defaults), which are no matter of a sign-in.
    private static let services: Set = [1433, 1521, 3306, 5432, 5672, 6379, 9042, 9092, 9200, 11211, 27017]

    static func isOfService(_ line: String) -> Bool {
        line.matches(of: port.regex).contains { Int($0.number).map(services.contains) ?? false }
    }

    private static let port = Pattern(#/:(?<number>[0-9]{4,5})\b/#)
}
