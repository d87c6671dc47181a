import Foundation
import OAuthCore

/// How two values differ that should be the same. The sentences are in `Resources/causes.json`.
enum ValueDifference: String, CaseIterable {
    case blank, letterCase, finalSlash, tokenVersion, version, template, prefix
    case scheme, internalHost, loopbackName, host, port, path
    /// None of those needed was granted.
    case lacking
    /// More than one part differs.
    case value

    init?(_ one: String, _ other: String) {
        guard one != other else { return nil }
        let trimmed = [one, other].map { $0.trimmingCharacters(in: .whitespaces) }
        let (a, b) = (trimmed[0], trimmed[1])
        let urls = trimmed.map { URL(string: $0) }
        let hosts = urls.map { $0?.host?.lowercased() ?? "" }
        if a == b {
            self = .blank
        } else if a.lowercased() == b.lowercased() {
            self = .letterCase
        } else if a.trimmingSuffix("/") == b.trimmingSuffix("/") {
            self = .finalSlash
        } else if a.trimmingSuffix("/v2.0") == b.trimmingSuffix("/v2.0") {
            self = .version
        } else if hosts.contains("sts.windows.net"), hosts.contains(AuthorityRules.Cloud.publicCloud.rawValue) {
            self = .tokenVersion
        } else if trimmed.contains(where: { $0.contains("{tenantid}") }) {
            self = .template
        } else if Self.isPrefixed(a, b) || Self.isPrefixed(b, a) {
            self = .prefix
        } else if let one = urls[0], let other = urls[1], one.scheme != nil, other.scheme != nil {
            self = Self.part(one, other, hosts)
        } else {
            self = .value
        }
    }

    /// The only part that differs.
    private static func part(_ one: URL, _ other: URL, _ hosts: [String]) -> ValueDifference {
        let rest = { (url: URL) in url.path.trimmingSuffix("/") + (url.query.map { "?\($0)" } ?? "") }
        guard one.scheme?.hasPrefix("http") == true || one.scheme != other.scheme else {
            return one.host == other.host && one.port == other.port ? .path : .value
        }
        if hosts[0] != hosts[1] {
            guard rest(one) == rest(other) else { return .value }
            if hosts.allSatisfy({ Loopback.contains($0) }) { return .loopbackName }
            return hosts.contains { !$0.contains(".") || $0.hasSuffix(".local") } ? .internalHost : .host
        }
        let differs = [one.scheme != other.scheme, one.port != other.port, rest(one) != rest(other)]
        if differs == [true, differs[1], false] { return .scheme }
        if differs == [false, true, false] { return .port }
        return differs == [false, false, true] ? .path : .value
    }

    /// `api://` or `spn:` before the same value.
    private static func isPrefixed(_ long: String, _ short: String) -> Bool {
        long.hasSuffix(short) && [":", "/"].contains(long.dropLast(short.count).last)
    }

    var isSmall: Bool { self != .value }

    var sentence: String { KnownCause.values["differences"]?[rawValue]?.string ?? "" }
}
