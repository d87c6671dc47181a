import CResources
import Foundation
import JSON

/// The data files in the program.
enum EmbeddedResource {
    static var infoPlist: Data { data(keyturn_resource_info_plist()) }

    /// The template of ``DesktopEntry``.
    static var urlHandler: Data { data(keyturn_resource_url_handler()) }

    static var bashCompletion: String { String(decoding: data(keyturn_resource_bash_completion()), as: UTF8.self) }
    static var zshCompletion: String { String(decoding: data(keyturn_resource_zsh_completion()), as: UTF8.self) }
    static var fishCompletion: String { String(decoding: data(keyturn_resource_fish_completion()), as: UTF8.self) }

    /// The texts of the commands, by name.
    static var commands: JSONValue { json(keyturn_resource_commands()) }

    /// The scenarios, in reading order.
    static var scenarios: JSONValue { json(keyturn_resource_scenarios()) }

    private static func data(_ resource: keyturn_resource) -> Data {
        Data(UnsafeBufferPointer(start: resource.bytes, count: resource.count))
    }

    private static func json(_ resource: keyturn_resource) -> JSONValue {
        (try? JSONValue(parsing: Array(data(resource)))) ?? .null
    }
}
