import Foundation

/// The parts of a home account's identifier (MSAL for iOS and macOS, `MSALAccountId`).
public final class MSALAccountId: NSObject, NSCopying, Sendable {
    /// Opaque: do not take it apart.
    public let identifier: String
    /// The account in the directory it is at home in; elsewhere than at Entra, the subject.
    public let objectId: String?
    /// The home tenant; `nil` when the identifier does not name one.
    public let tenantId: String?

    package init(identifier: String, objectId: String?, tenantId: String?) {
        self.identifier = identifier
        self.objectId = objectId
        self.tenantId = tenantId
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}
