/// The parts of an application's `Info.plist` that matter for signing in.
package struct AppRegistration: Sendable, Equatable {
    package static let maximumBytes = 1 << 20

    /// `CFBundleIdentifier`, or empty for a program without an `Info.plist`.
    package var bundleIdentifier: String
    /// `CFBundleDisplayName`, else `CFBundleName`.
    package var displayName: String?
    /// `CFBundleShortVersionString`.
    package var version: String?
    /// `CFBundleURLTypes › CFBundleURLSchemes`: the schemes whose URLs open the application.
    package var urlSchemes: [String]
    /// `LSApplicationQueriesSchemes`: the other applications' schemes that it may query.
    package var querySchemes: [String]
    /// Whether the developer can edit the `Info.plist`. Errors mention the file only then.
    package var hasInfoPlist = true
    /// Whether the file is that of an application for iOS or macOS, where MSAL's rules are others than here.
    package var isForApple = false

    package init(
        bundleIdentifier: String, displayName: String? = nil, version: String? = nil, urlSchemes: [String] = [],
        querySchemes: [String] = []
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.displayName = displayName
        self.version = version
        self.urlSchemes = urlSchemes
        self.querySchemes = querySchemes
    }

    /// The reason why data isn't a valid `Info.plist`.
    package enum Malformed: Error, Sendable, Equatable {
        case tooLarge(limit: Int)
        case notPropertyList
        case notDictionary
        case missing(key: String)
        /// `expected` describes the required type in words.
        case wrongType(key: String, expected: String)

        /// The problem and the fix.
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

    /// Parses a property list in XML or binary form. `bundleIdentifier` replaces the list's own, which may then be
    /// missing.
    package init(infoPlist: [UInt8], bundleIdentifier replacement: String? = nil) throws(Malformed) {
        guard infoPlist.count <= Self.maximumBytes else { throw .tooLarge(limit: Self.maximumBytes) }
        guard let list = PropertyList(parsing: infoPlist) else { throw .notPropertyList }
        guard let keys = list.dictionary else { throw .notDictionary }
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

    private static func text(_ key: InfoPlistKey, _ keys: [String: PropertyList]) throws(Malformed) -> String? {
        guard let value = keys[key.rawValue] else { return nil }
        guard let text = value.text else { throw .wrongType(key: key.rawValue, expected: "a string") }
        return text
    }

    private static func texts(_ key: InfoPlistKey, _ keys: [String: PropertyList]) throws(Malformed) -> [String] {
        guard let value = keys[key.rawValue] else { return [] }
        guard let elements = value.list, case let texts = elements.compactMap(\.text), texts.count == elements.count
        else { throw .wrongType(key: key.rawValue, expected: "an array of strings") }
        return texts
    }

    private static func schemes(of keys: [String: PropertyList]) throws(Malformed) -> [String] {
        guard let value = keys[InfoPlistKey.urlTypes.rawValue] else { return [] }
        guard let elements = value.list, case let types = elements.compactMap(\.dictionary),
            types.count == elements.count
        else { throw .wrongType(key: InfoPlistKey.urlTypes.rawValue, expected: "an array of dictionaries") }
        var schemes: [String] = []
        for type in types { schemes += try texts(.urlSchemes, type) }
        return schemes
    }
}

/// The parts of an application's entitlements that matter for signing in.
package struct Entitlements: Sendable, Equatable {
    package let keychainGroups: [String]
    private let associatedDomains: [String]

    /// `nil` if the data is another property list.
    package init?(parsing bytes: [UInt8]) {
        guard bytes.count <= AppRegistration.maximumBytes, let keys = PropertyList(parsing: bytes)?.dictionary,
            keys[InfoPlistKey.bundleIdentifier.rawValue] == nil,
            InfoPlistKey.entitlements.contains(where: { keys[$0.rawValue] != nil })
        else { return nil }
        func texts(_ key: InfoPlistKey) -> [String] { (keys[key.rawValue]?.list ?? []).compactMap(\.text) }
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
        .launchStoryboard,
        .orientations,
    ]

    static let entitlements: [InfoPlistKey] = [
        .keychainGroups, .applicationIdentifier, .macApplicationIdentifier, .applicationGroups, .sandbox, .debugging,
        .pushes, .associatedDomains,
    ]
}
