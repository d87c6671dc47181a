import CResources
import Foundation

/// The data files that the program carries in itself.
enum EmbeddedResource {
    static var infoPlist: Data { data(keyturn_resource_info_plist()) }

    /// A desktop entry with two places to fill in: see ``DesktopEntry``.
    static var urlHandler: Data { data(keyturn_resource_url_handler()) }

    static var bashCompletion: String { String(decoding: data(keyturn_resource_bash_completion()), as: UTF8.self) }
    static var zshCompletion: String { String(decoding: data(keyturn_resource_zsh_completion()), as: UTF8.self) }
    static var fishCompletion: String { String(decoding: data(keyturn_resource_fish_completion()), as: UTF8.self) }

    /// The registration's version is the program's: it stands in one place.
    static var version: String {
        let entries = try? PropertyListSerialization.propertyList(from: infoPlist, format: nil) as? [String: Any]
        return entries?["CFBundleShortVersionString"] as? String ?? "unknown"
    }

    private static func data(_ resource: keyturn_resource) -> Data {
        Data(UnsafeBufferPointer(start: resource.bytes, count: resource.count))
    }
}
