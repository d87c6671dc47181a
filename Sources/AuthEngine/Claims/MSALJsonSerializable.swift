/// What can be written as JSON (MSAL for iOS and macOS, `MSALJsonSerializable`).
public protocol MSALJsonSerializable {
    /// `nil` when there is nothing that could be written.
    @discardableResult
    func jsonString() -> String?
}
