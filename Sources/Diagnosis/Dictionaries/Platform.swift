import Foundation
import OAuthCore

/// What an application runs on, as far as it decides what to do about an error. The raw values are those of
/// `Resources/causes.json`.
enum Platform: String, Sendable, CaseIterable {
    /// iOS and macOS.
    case apple
    case android
    /// A web page that signs in by itself (single-page application).
    case spa
    /// A web application with a server.
    case web
    /// A program of a terminal or the desktop.
    case native
    case kubernetes

    /// What ``LogFile`` looks for.
    static let marks: [LogFile.Mark] = allCases.flatMap(\.marks) + Runtime.allCases.flatMap(\.marks)

    private var marks: [LogFile.Mark] { KnownCause.marks(of: rawValue) }

    /// The platform of a text; `nil` if it doesn't show one, or several.
    init?(_ log: LogFile) {
        let found = Self.allCases.filter { log.first($0.marks) != nil }
        guard found.count == 1, let only = found.first else { return nil }
        self = only
    }

    /// The platform of the application that sent the requests; `nil` if they don't show it.
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

/// What runs the program that failed, or another protocol than OAuth that it speaks. Their settings differ. The raw values are those of
/// `Resources/causes.json`.
enum Runtime: String, Sendable, CaseIterable {
    case saml, git, curl, java, node, python, dotNet

    fileprivate var marks: [LogFile.Mark] { KnownCause.marks(of: rawValue) }

    /// Those that a text shows.
    static func all(in log: LogFile) -> [Runtime] { allCases.filter { log.first($0.marks) != nil } }
}
