import Foundation

/// What can be read from JSON (MSAL for iOS and macOS, `MSALJsonDeserializable`).
public protocol MSALJsonDeserializable {
    /// Fills `error` when the text cannot be read; what is made then says nothing.
    init(jsonString: String, error: NSErrorPointer)
}
