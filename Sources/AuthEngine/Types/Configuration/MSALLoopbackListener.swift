/// Where the browser's answer to a loopback redirect URI is listened for. An addition of this library.
public struct MSALLoopbackListener: Sendable, Equatable {
    /// The ports that may be used, the first that is free; `nil` is the redirect URI's, else any.
    public var ports: ClosedRange<UInt16>?

    /// The one numeric address to listen on in place of 127.0.0.1 and ::1: for a container, whose loopback addresses
    /// nobody outside of it reaches. Whoever can reach the address can reach the listener.
    public var address: String?

    /// `nil` leaves a choice as it is without this object.
    public init(ports: ClosedRange<UInt16>? = nil, address: String? = nil) {
        self.ports = ports
        self.address = address
    }

    /// Reads `PORT`, `FIRST-LAST`, `ADDRESS:PORT` or `ADDRESS:FIRST-LAST`; an IPv6 address stands in brackets. `nil` for
    /// anything else, for port 0 too: a port that is any has no need to be said.
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
