import Foundation

/// The slice of Microsoft Entra ID that handles requests, for tests of the service itself (MSAL for iOS and macOS,
/// `MSALSliceConfig`).
public final class MSALSliceConfig: NSObject, NSCopying {
    /// The slice. Empty when only a data centre was given.
    public var slice: String
    /// The data centre. Empty when only a slice was given.
    public var dc: String

    /// Creates a configuration, or returns `nil` when both values are missing.
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

    /// The request parameters `slice` and `dc`, each if set.
    public var sliceDictionary: [AnyHashable: Any] { members }

    var members: [String: String] { ["slice": slice, "dc": dc].filter { !$0.value.isEmpty } }

    public func copy(with zone: NSZone? = nil) -> Any { MSALSliceConfig(copying: self) }
}
