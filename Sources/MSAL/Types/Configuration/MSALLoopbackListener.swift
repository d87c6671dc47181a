/// The address and ports at which the library listens for a loopback redirect. Not in MSAL for iOS and macOS.
public struct MSALLoopbackListener: Sendable, Equatable {
    /// The allowed ports; the first free one is used. `nil` selects the redirect URI's port, else any.
    public var ports: ClosedRange<UInt16>?

    /// The numeric address to listen on instead of 127.0.0.1 and ::1, for a container whose loopback addresses can't be
    /// reached from outside.
    ///
    /// Any host that can reach the address can connect to the listener.
    public var address: String?

    /// Creates a listener. A value of `nil` keeps the default.
    public init(ports: ClosedRange<UInt16>? = nil, address: String? = nil) {
        self.ports = ports
        self.address = address
    }

    /// Parses `PORT`, `FIRST-LAST`, `ADDRESS:PORT` or `ADDRESS:FIRST-LAST`, with an IPv6 address in brackets. Returns
    /// `nil` for anything else, and for port 0.
    public init?(_ text: String) {
        let colon = text.lastIndex(of: ":")
        let ports = (colon.map { text[text.index(after: $0)...] } ?? text[...])
            .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { UInt16($0) }
        guard let first = ports.first ?? nil, let last = ports.last ?? nil, first > 0, first <= last else { return nil }
        self.ports = first...last
        guard let colon else { return }
        let address = text[..<colon]
        let isBracketed = address.hasPrefix("[") && address.hasSuffix("]")
        let bare = isBracketed ? address.dropFirst().dropLast() : address
        guard !bare.isEmpty, isBracketed == bare.contains(":"), bare.allSatisfy({ $0.isHexDigit || ".:".contains($0) })
        else { return nil }
        self.address = String(bare)
    }
}
