import Foundation

/// The parts of a home account's identifier (MSAL for iOS and macOS, `MSALAccountId`).
public final class MSALAccountId: NSObject, NSCopying, Sendable {
    /// Opaque: do not take it apart.
    public let identifier: String
    public let objectId: String?
    public let tenantId: String?

    package init(identifier: String, objectId: String?, tenantId: String?) {
        self.identifier = identifier
        self.objectId = objectId
        self.tenantId = tenantId
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}
