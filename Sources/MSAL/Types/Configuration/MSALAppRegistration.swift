import Foundation
import OAuthCore

/// The registration of an application with the system, from its `Info.plist`. Not in MSAL for iOS and macOS.
public struct MSALAppRegistration: Sendable, Equatable {
    package private(set) var value: AppRegistration

    /// Whether the developer can edit the `Info.plist` (default: `true`). Errors about redirect URIs mention the file
    /// only then.
    public var hasInfoPlist: Bool {
        get { value.hasInfoPlist }
        set { value.hasInfoPlist = newValue }
    }

    /// Creates a registration from a property list in XML or binary form. Throws when it is invalid or lacks a
    /// `CFBundleIdentifier`.
    ///
    /// A build setting of an Xcode project, such as `$(PRODUCT_BUNDLE_IDENTIFIER)`, becomes what the redirect URI, or a
    /// scheme of the list, says.
    public init(infoPlist: Data) throws { try self.init(infoPlist, replacingIdentifierWith: nil) }

    /// Creates a registration with another identifier, also in the place of a build setting. The property list needs no
    /// `CFBundleIdentifier`.
    public init(infoPlist: Data, bundleIdentifier: String) throws {
        try self.init(infoPlist, replacingIdentifierWith: bundleIdentifier)
    }

    private init(_ infoPlist: Data, replacingIdentifierWith bundleIdentifier: String?) throws {
        do { value = try AppRegistration(infoPlist: Array(infoPlist), bundleIdentifier: bundleIdentifier) } catch {
            throw MSALAuthenticationError(.invalid(error.reason))
        }
    }
}
