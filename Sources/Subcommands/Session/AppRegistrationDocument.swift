import Foundation

/// An application's registration, the property list that the library reads.
enum AppRegistrationDocument {
    /// The same registration under another identifier. One that is no property list stays as it is: the library says so.
    static func replacing(_ bundleIdentifier: String, in document: Data) throws -> Data {
        guard var entries = try? PropertyListSerialization.propertyList(from: document, format: nil) as? [String: Any]
        else { return document }
        entries["CFBundleIdentifier"] = bundleIdentifier
        return try PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0)
    }
}
