/// The environment of an entry. Other libraries look for the host alone in MSAL Python's spelling: lower case, IPv6
/// addresses without brackets. A port other than 443 has its own member, which they preserve.
struct UnifiedEnvironment: Sendable, Equatable {
    static let hostMember = "environment"
    static let portMember = "environment_port"

    var host: String
    var port: String?

    /// Parses a host with or without a port, in any spelling.
    init(_ text: String) {
        let text = text.lowercased()
        guard let colon = text.lastIndex(of: ":") else {
            self.init(host: text, port: nil)
            return
        }
        let rest = text[text.index(after: colon)...]
        let isPort = !rest.isEmpty && rest.allSatisfy { $0.isASCII && $0.isNumber }
        // More than one colon without brackets means an IPv6 address.
        guard isPort, text.hasPrefix("[") ? text[..<colon].hasSuffix("]") : text.firstIndex(of: ":") == colon else {
            self.init(host: text, port: nil)
            return
        }
        self.init(host: String(text[..<colon]), port: rest == "443" ? nil : String(rest))
    }

    private init(host: String, port: String?) {
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        self.port = port
    }

    /// The text in the spelling of ``Authority/environment``.
    var text: String { host.contains(":") ? "[\(host)]\(suffix)" : host + suffix }

    /// ``text`` without the port.
    var withoutPort: String { Self(host: host, port: nil).text }

    private var suffix: String { port.map { ":\($0)" } ?? "" }
}
