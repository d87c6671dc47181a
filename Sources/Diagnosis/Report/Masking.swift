import Foundation
import MSAL
import OAuthCore

/// Hides personal data in texts, so that they can be shared. Hides too much rather than too little.
package struct Masking: Sendable, Equatable {
    package static let hidden = Privacy.hidden

    /// Words that identify the user: names, tenants, hosts, folders.
    private let words: [String]

    /// Shorter words are part of too many others.
    private static let shortestWord = 3

    package init(words: [String] = []) {
        self.words = Set(words.filter { $0.count >= Self.shortestWord }).sorted { ($0.count, $0) > ($1.count, $1) }
    }

    package func text(_ text: String) -> String {
        let known = words.reduce(text) {
            // Not inside another word: "local" is part of "localhost".
            $0.replacingOccurrences(
                of: #"(?<![\p{L}\p{N}])\#(NSRegularExpression.escapedPattern(for: $1))(?![\p{L}\p{N}])"#,
                with: Self.hidden, options: [.caseInsensitive, .regularExpression])
        }
        let addresses = known.replacing(#/[A-Za-z][A-Za-z0-9+.\-]{0,127}:\/\/(?:‹hidden›|[^\s"”›,;)])*/#) {
            let punctuation = $0.output.reversed().prefix { ".:!?".contains($0) }.count
            return address(String($0.output.dropLast(punctuation))) + $0.output.suffix(punctuation)
        }
        // What follows the last quotation mark has none that closes.
        let quoted =
            addresses.lastIndex { $0 == "”" || $0 == "\"" }.map(addresses.index(after:)) ?? addresses.startIndex
        let unquoted = String(addresses[..<quoted]).replacing(#/[“"][^”"]*[”"]/#, with: Self.hidden)
        let shown = unquoted + addresses[quoted...]
        return (shown.contains("@") ? shown.replacing(#/[^\s@]{1,254}@[^\s@]+/#, with: Self.hidden) : shown)
            .replacing(#/eyJ[A-Za-z0-9_.\-]+/#, with: Self.hidden)
            .replacing(#/(?<before>^|[\s(=])(?:~|\.{1,2})?\/[^\s:,;]+/#) { "\($0.output.before)\(Self.hidden)" }
            .replacing(#/[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f\-]+/#, with: Self.hidden)
            .replacing(#/[A-Za-z0-9\-]{1,255}(?:\.[A-Za-z0-9\-]+)+/#) { dotted(String($0.output)) }
            .replacing(#/[A-Za-z0-9_\-]{24,}/#) {
                // Keys of a property list are also long.
                $0.output.contains(where: \.isNumber) ? Self.hidden : String($0.output)
            }
    }

    /// As far as public: the paths of Microsoft's and OpenID's endpoints, and the hosts of the clouds and of this computer.
    /// It reads the text itself, so that it changes nothing that it has hidden before.
    package func address(_ text: String) -> String {
        guard let mark = text.firstRange(of: "://"), mark.lowerBound > text.startIndex else { return Self.hidden }
        let scheme = text[..<mark.lowerBound].lowercased()
        let parts = text[mark.upperBound...].prefix { $0 != "?" && $0 != "#" }
            .split(separator: "/", omittingEmptySubsequences: false)
        let authority = (parts.first?.split(separator: "@", omittingEmptySubsequences: false).last ?? "").lowercased()
        let port = authority.wholeMatch(of: #/(?<host>.*):(?<number>[0-9]{1,5})/#)
        let name = port.map { String($0.host) } ?? authority
        let shown = name.isEmpty ? "" : host(name) + (Loopback.contains(name) ? port.map { ":\($0.number)" } ?? "" : "")
        return "\(["http", "https"].contains(scheme) ? scheme : Self.hidden)://\(shown)"
            + parts.dropFirst().filter { !$0.isEmpty }
            .map { "/" + (Self.publicSegments.contains($0.lowercased()) ? String($0) : Self.hidden) }.joined()
    }

    package func host(_ host: String) -> String {
        if MicrosoftHosts.signIn.contains(host) || Loopback.contains(host) { return host }
        let family = MicrosoftHosts.customerDomains.first { host.hasSuffix($0) }
        return family.map { Self.hidden + $0 } ?? Self.hidden
    }

    /// Keeps versions and common file names; hides hosts and bundle identifiers.
    private func dotted(_ word: String) -> String {
        if word.allSatisfy({ $0.isNumber || $0 == "." }) && word.split(separator: ".").count < 4 { return word }
        if ["config.json", "Info.plist", "Console.app"].contains(word) { return word }
        return host(word.lowercased()) == Self.hidden ? Self.hidden : word
    }

    static let publicSegments: Set<String> = [
        "common", "organizations", "consumers", "oauth2", "v2.0", "v1.0", "authorize", "token", "devicecode", "logout",
        "discovery", "instance", "keys", ".well-known", "openid-configuration", "jwks.json", "auth", "oauth", "connect",
    ]
}
