/// What an application registers about itself with the system: its `Info.plist`, as far as signing in looks at it.
package struct AppRegistration: Sendable, Equatable {
    package static let maximumBytes = 1 << 20

    /// `CFBundleIdentifier`
    package var bundleIdentifier: String
    /// `CFBundleDisplayName`, else `CFBundleName`
    package var displayName: String?
    /// `CFBundleShortVersionString`
    package var version: String?
    /// `CFBundleURLTypes › CFBundleURLSchemes`: schemes whose addresses are handed to the application.
    package var urlSchemes: [String]
    /// `LSApplicationQueriesSchemes`: schemes of other applications that it may look for.
    package var querySchemes: [String]

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

    /// Why bytes are not an `Info.plist`.
    package enum Malformed: Error, Sendable, Equatable {
        case tooLarge(limit: Int)
        case notPropertyList
        case notDictionary
        case missing(key: String)
        /// `expected` says in words what the key must hold.
        case wrongType(key: String, expected: String)

        /// What is wrong and what would be right, for a person.
        package var reason: String {
            switch self {
            case .tooLarge(let limit): "The Info.plist is larger than \(limit / 1024) KiB, which none is."
            case .notPropertyList: "The Info.plist is not a property list, neither XML nor binary."
            case .notDictionary: "The Info.plist is a property list, but its outermost element is not a dictionary."
            case .missing(let key): "The Info.plist has no \(key). Add it, with the application's own value."
            case .wrongType(let key, let expected): "In the Info.plist, \(key) must be \(expected)."
            }
        }
    }

    /// `infoPlist`: a property list as XML or binary.
    package init(infoPlist: [UInt8]) throws(Malformed) {
        guard infoPlist.count <= Self.maximumBytes else { throw .tooLarge(limit: Self.maximumBytes) }
        let keys = try InfoPlist(parsing: infoPlist)
        guard let identifier = keys.identifier, !identifier.trimmed.isEmpty else {
            throw .missing(key: "CFBundleIdentifier")
        }
        self.init(
            bundleIdentifier: identifier, displayName: keys.displayName ?? keys.name, version: keys.version,
            urlSchemes: keys.urlSchemes, querySchemes: keys.querySchemes)
    }
}
