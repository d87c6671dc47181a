/// The parts of an application's `Info.plist` that matter for signing in.
package struct AppRegistration: Sendable, Equatable {
    package static let maximumBytes = 1 << 20

    /// `CFBundleIdentifier`, or empty for a program without an `Info.plist`.
    package var bundleIdentifier: String
    /// `CFBundleDisplayName`, else `CFBundleName`.
    package var displayName: String?
    package var version: String?
    /// `CFBundleURLTypes › CFBundleURLSchemes`: the schemes whose URLs open the application.
    package var urlSchemes: [String]
    /// `LSApplicationQueriesSchemes`.
    package var querySchemes: [String]
    /// Whether the developer can edit the `Info.plist`. Errors mention the file only then.
    package var hasInfoPlist = true
    /// Whether the file is that of an application for iOS or macOS, where MSAL's rules are others than here.
    package var isForApple = false

    package init(
        bundleIdentifier: String, displayName: String? = nil, version: String? = nil, urlSchemes: [String] = [],
        querySchemes: [String] = []
    ) {
        (self.bundleIdentifier, self.displayName, self.version) = (bundleIdentifier, displayName, version)
        (self.urlSchemes, self.querySchemes) = (urlSchemes, querySchemes)
    }

    package enum Malformed: Error, Sendable, Equatable {
        case tooLarge(limit: Int)
        case notPropertyList
        case notDictionary
        case missing(key: String)
        case wrongType(key: String, expected: String)

        package var reason: String {
            switch self {
            case .tooLarge(let limit): "The Info.plist is larger than \(limit / 1024) KiB."
            case .notPropertyList: "The Info.plist is not a property list, neither XML nor binary."
            case .notDictionary: "The Info.plist is not a dictionary."
            case .missing(let key): "The Info.plist has no \(key). Add it, with the application's own value."
            case .wrongType(let key, let expected): "In the Info.plist, \(key) must be \(expected)."
            }
        }
    }

    /// `bundleIdentifier` replaces the list's own, which may then be missing.
    package init(infoPlist: [UInt8], bundleIdentifier replacement: String? = nil) throws(Malformed) {
        guard infoPlist.count <= Self.maximumBytes else { throw .tooLarge(limit: Self.maximumBytes) }
        guard let list = PropertyList(parsing: infoPlist) else { throw .notPropertyList }
        guard let keys = list.value.object else { throw .notDictionary }
        let own = replacement == nil ? try Self.text(.bundleIdentifier, keys) : nil
        guard let identifier = replacement ?? own, !identifier.trimmed.isEmpty else {
            throw .missing(key: InfoPlistKey.bundleIdentifier.rawValue)
        }
        bundleIdentifier = identifier
        let name = try Self.text(.name, keys)
        displayName = try Self.text(.displayName, keys) ?? name
        version = try Self.text(.version, keys)
        let schemes = try Self.schemes(of: keys)
        urlSchemes = replacement.map { Self.replacingIdentifier(in: schemes, own, with: $0) } ?? schemes
        querySchemes = try Self.texts(.querySchemes, keys)
        isForApple = hasBuildSetting || InfoPlistKey.onlyApple.contains { keys[$0.rawValue] != nil }
    }

    private static func text(_ key: InfoPlistKey, _ keys: [String: JSONValue]) throws(Malformed) -> String? {
        try read(key, keys, "a string", \.string)
    }

    private static func texts(_ key: InfoPlistKey, _ keys: [String: JSONValue]) throws(Malformed) -> [String] {
        try read(key, keys, "an array of strings", \.strings) ?? []
    }

    private static func schemes(of keys: [String: JSONValue]) throws(Malformed) -> [String] {
        let types = try read(.urlTypes, keys, "an array of dictionaries") { $0.elements(\.object) } ?? []
        return try types.map { type throws(Malformed) in try texts(.urlSchemes, type) }.flatMap(\.self)
    }

    private static func read<Value>(
        _ key: InfoPlistKey, _ keys: [String: JSONValue], _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(Malformed) -> Value? {
        guard let found = keys[key.rawValue] else { return nil }
        guard let value = read(found) else { throw .wrongType(key: key.rawValue, expected: expected) }
        return value
    }
}

package struct Entitlements: Sendable, Equatable {
    package let keychainGroups: [String]
    private let associatedDomains: [String]

    /// `nil` if the data is another property list.
    package init?(parsing bytes: [UInt8]) {
        guard bytes.count <= AppRegistration.maximumBytes, let keys = PropertyList(parsing: bytes)?.value.object,
            keys[InfoPlistKey.bundleIdentifier.rawValue] == nil,
            InfoPlistKey.entitlements.contains(where: { keys[$0.rawValue] != nil })
        else { return nil }
        func texts(_ key: InfoPlistKey) -> [String] { (keys[key.rawValue]?.array ?? []).compactMap(\.string) }
        keychainGroups = texts(.keychainGroups)
        associatedDomains = texts(.associatedDomains)
    }

    /// The domains whose links open the application, such as `mail.example` or `*.mail.example`.
    package var linkedDomains: [String] {
        associatedDomains.compactMap { text in
            // A mode may follow: `applinks:mail.example?mode=developer`.
            guard text.hasPrefix(Self.service) else { return nil }
            return text.dropFirst(Self.service.count).prefix { $0 != "?" }.lowercased()
        }
    }

    /// Whether links of a host open the application. `*.` stands for the subdomains, without the domain itself.
    package func links(_ host: String) -> Bool {
        let host = host.lowercased()
        return linkedDomains.contains { $0 == host || $0.hasPrefix("*.") && host.hasSuffix($0.dropFirst()) }
    }

    package static let service = "applinks:"
}

/// The keys of an `Info.plist` or of entitlements that are read. Reading the others takes as long as getting a cached token.
enum InfoPlistKey: String, CodingKey, CaseIterable {
    case bundleIdentifier = "CFBundleIdentifier"
    case displayName = "CFBundleDisplayName"
    case name = "CFBundleName"
    case version = "CFBundleShortVersionString"
    case urlTypes = "CFBundleURLTypes"
    case urlSchemes = "CFBundleURLSchemes"
    case querySchemes = "LSApplicationQueriesSchemes"
    // Only in applications for Apple's systems.
    case requiresPhone = "LSRequiresIPhoneOS"
    case minimumSystem = "LSMinimumSystemVersion"
    case minimumVersion = "MinimumOSVersion"
    case platforms = "CFBundleSupportedPlatforms"
    case devices = "UIDeviceFamily"
    case scenes = "UIApplicationSceneManifest"
    case launchScreen = "UILaunchScreen"
    case launchStoryboard = "UILaunchStoryboardName"
    case orientations = "UISupportedInterfaceOrientations"
    // Entitlements.
    case keychainGroups = "keychain-access-groups"
    case applicationIdentifier = "application-identifier"
    case macApplicationIdentifier = "com.apple.application-identifier"
    case applicationGroups = "com.apple.security.application-groups"
    case sandbox = "com.apple.security.app-sandbox"
    case debugging = "get-task-allow"
    case pushes = "aps-environment"
    case associatedDomains = "com.apple.developer.associated-domains"

    static let onlyApple: [InfoPlistKey] = [
        .requiresPhone, .minimumSystem, .minimumVersion, .platforms, .devices, .scenes, .launchScreen,
        .launchStoryboard, .orientations,
    ]

    static let entitlements: [InfoPlistKey] = [
        .keychainGroups, .applicationIdentifier, .macApplicationIdentifier, .applicationGroups, .sandbox, .debugging,
        .pushes, .associatedDomains,
    ]
}

/// Build settings, such as `$(PRODUCT_BUNDLE_IDENTIFIER)`, which Xcode replaces in the built application.
extension AppRegistration {
    package var hasBuildSetting: Bool { Self.setting(in: bundleIdentifier) != nil }

    /// The registration of the built application if the redirect URI or a scheme tells its identifier, otherwise itself.
    package func built(for uri: String?) -> AppRegistration {
        guard hasBuildSetting else { return self }
        let names = [uri].compactMap(\.self) + urlSchemes
        guard let identifier = names.lazy.compactMap(implied).first else { return self }
        var built = self
        built.bundleIdentifier = identifier
        built.urlSchemes = Self.replacingIdentifier(in: urlSchemes, bundleIdentifier, with: identifier)
        return built
    }

    static func replacingIdentifier(in schemes: [String], _ setting: String?, with identifier: String) -> [String] {
        schemes.map { scheme in
            guard scheme.contains("$") else { return scheme }
            let known = setting.map { scheme.replacing($0, with: identifier) } ?? scheme
            return known.replacing(#/\$[({]PRODUCT_BUNDLE_IDENTIFIER(:[^)}]*)?[)}]/#, with: identifier)
        }
    }

    /// The identifier in `msauth.<identifier>` or `msauth.<identifier>://auth`, if this application's setting can become it.
    private func implied(by name: String) -> String? {
        let scheme = name.prefix { $0 != ":" }
        let identifier = String(scheme.dropFirst(Self.schemePrefix.count))
        guard scheme.hasPrefix(Self.schemePrefix), Placeholder(inScheme: String(scheme)) == nil, !identifier.isEmpty,
            let setting = Self.setting(in: bundleIdentifier)
        else { return nil }
        let (start, end) = (bundleIdentifier[..<setting.lowerBound], bundleIdentifier[setting.upperBound...])
        let isLonger = identifier.count > start.count + end.count
        return isLonger && identifier.hasPrefix(start) && identifier.hasSuffix(end) ? identifier : nil
    }

    private static let schemePrefix = "msauth."

    private static func setting(in text: String) -> Range<String.Index>? {
        guard text.contains("$"), case let settings = text.ranges(of: #/\$\([^)]*\)|\$\{[^}]*\}/#),
            let first = settings.first, let last = settings.last
        else { return nil }
        return first.lowerBound..<last.upperBound
    }
}
