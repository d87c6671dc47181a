import CResources
import Foundation
import JSON
import OAuthCore

enum EmbeddedResource {
    static var infoPlist: Data { Data([UInt8](keyturn_resource_info_plist())) }

    /// The template of ``DesktopEntry``.
    static var urlHandler: Data { Data([UInt8](keyturn_resource_url_handler())) }

    static var bashCompletion: String { String(decoding: [UInt8](keyturn_resource_bash_completion()), as: UTF8.self) }
    static var zshCompletion: String { String(decoding: [UInt8](keyturn_resource_zsh_completion()), as: UTF8.self) }
    static var fishCompletion: String { String(decoding: [UInt8](keyturn_resource_fish_completion()), as: UTF8.self) }

    static var commands: JSONValue { JSONValue(resource: keyturn_resource_commands()) }

    static var scenarios: JSONValue { JSONValue(resource: keyturn_resource_scenarios()) }
}
