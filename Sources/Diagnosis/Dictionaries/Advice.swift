import Foundation
import JSON
import OAuthCore

package struct Advice: Sendable, Equatable {
    /// For an unknown platform. Names the alternatives if there are any.
    let general: String
    private let specific: [String: String]

    private static let other = "other"

    init(_ general: String, for specific: [String: String] = [:]) {
        (self.general, self.specific) = (general, specific)
    }

    /// A text, or an object of texts by platform; `nil` for anything else.
    init?(_ json: JSONValue) {
        if let text = json.string {
            self.init(text)
            return
        }
        guard let object = json.object, let general = object[Self.other]?.string else { return nil }
        var specific: [String: String] = [:]
        for (name, text) in object where name != Self.other {
            guard Platform(rawValue: name) != nil || Runtime(rawValue: name) != nil, let text = text.string else {
                return nil
            }
            specific[name] = text
        }
        self.init(general, for: specific)
    }

    /// That of the runtime counts more than that of the platform, which several runtimes have.
    func text(in evidence: Evidence?) -> String {
        let names = (evidence?.runtimes.map(\.rawValue) ?? []) + [evidence?.platform?.rawValue].compactMap(\.self)
        return names.lazy.compactMap { specific[$0] }.first ?? general
    }

    var texts: [String] { [general] + specific.sorted { $0.key < $1.key }.map(\.value) }
}

/// As far as it decides what to do about an error. The raw values are those of `Resources/causes.json`.
enum Platform: String, Sendable, CaseIterable {
    case apple
    case android
    /// A web page that signs in by itself (single-page application).
    case spa
    case web
    /// A program of a terminal or the desktop.
    case native
    case kubernetes

    /// What ``LogFile`` looks for.
    static let marks: [LogFile.Mark] = allCases.flatMap(\.marks) + Runtime.allCases.flatMap(\.marks)

    private var marks: [LogFile.Mark] { KnownCause.marks(of: rawValue) }

    /// `nil` if the text doesn't show one, or several.
    init?(_ log: LogFile) {
        let found = Self.allCases.filter { log.first($0.marks) != nil }
        guard found.count == 1, let only = found.first else { return nil }
        self = only
    }

    init?(_ exchanges: [Exchange]) {
        let platforms = exchanges.lazy.compactMap(Self.init(of:))
        guard let first = platforms.first else { return nil }
        self = first
    }

    private init?(of exchange: Exchange) {
        let sku = exchange.parameters["x-client-SKU"] ?? exchange.requestHeaders["x-client-SKU"]
        switch sku?.lowercased() {
        case "msal.ios", "msal.osx": self = .apple
        case "msal.android": self = .android
        case "msal.js.browser", "msal.js": self = .spa
        case "msal.python", "msal.netcore", "msal.desktop": self = .native
        default:
            // Only a web page sends its origin to the token endpoint.
            if exchange.ownRole == .token, exchange.requestHeaders["Origin"] != nil {
                self = .spa
                return
            }
            // iOS has msauth.BUNDLE-ID, Android msauth with the package as the host.
            let scheme = exchange.parameters["redirect_uri"].flatMap(URL.init(string:))?.lowercasedScheme ?? ""
            guard scheme.hasPrefix("msauth") else { return nil }
            self = scheme == "msauth" ? .android : .apple
        }
    }
}

/// What runs the program, or another protocol: their settings differ. The raw values are those of `Resources/causes.json`.
enum Runtime: String, Sendable, CaseIterable {
    case saml, git, curl, java, node, python, dotNet

    fileprivate var marks: [LogFile.Mark] { KnownCause.marks(of: rawValue) }

    static func all(in log: LogFile) -> [Runtime] { allCases.filter { log.first($0.marks) != nil } }
}
