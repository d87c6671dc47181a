import Foundation
import OAuthCore

/// What an application registers about itself with the system: its `Info.plist`. An addition of this library.
public struct MSALAppRegistration: Sendable, Equatable {
    package private(set) var value: AppRegistration

    /// Whether the developer can correct the `Info.plist`; advice on a refused redirect URI names the file only then.
    /// `true` unless set.
    public var hasInfoPlist: Bool {
        get { value.hasInfoPlist }
        set { value.hasInfoPlist = newValue }
    }

    /// `infoPlist`: a property list as XML or binary. Throws when it is none or lacks a `CFBundleIdentifier`.
    public init(infoPlist: Data) throws {
        try self.init(infoPlist, replacingIdentifierWith: nil)
    }

    /// The same registration under another identifier; the list need not have one of its own.
    public init(infoPlist: Data, bundleIdentifier: String) throws {
        try self.init(infoPlist, replacingIdentifierWith: bundleIdentifier)
    }

    private init(_ infoPlist: Data, replacingIdentifierWith bundleIdentifier: String?) throws {
        do throws(AppRegistration.Malformed) {
            value = try AppRegistration(infoPlist: Array(infoPlist), bundleIdentifier: bundleIdentifier)
        } catch {
            throw MSALAuthenticationError(.caller(.invalidParameter(error.reason)), correlationID: nil)
        }
    }
}
