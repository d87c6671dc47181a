import Foundation

/// Which part of Microsoft Entra ID answers, for tests of the service itself (MSAL for iOS and macOS,
/// `MSALSliceConfig`).
public final class MSALSliceConfig: NSObject, NSCopying {
    /// Empty when only a data centre was given.
    public var slice: String
    /// The data centre; empty when only a slice was given.
    public var dc: String

    /// `nil` when neither is given.
    public init?(slice: String?, dc: String?) {
        let (slice, dc) = (slice ?? "", dc ?? "")
        guard !slice.isEmpty || !dc.isEmpty else { return nil }
        self.slice = slice
        self.dc = dc
    }

    private init(copying other: MSALSliceConfig) {
        slice = other.slice
        dc = other.dc
    }

    /// What is sent: `slice` and `dc`, each if it is given.
    public var sliceDictionary: [AnyHashable: Any] { members }

    var members: [String: String] { ["slice": slice, "dc": dc].filter { !$0.value.isEmpty } }

    public func copy(with zone: NSZone? = nil) -> Any { MSALSliceConfig(copying: self) }
}
