/// What signing in looks at of an `Info.plist`. To read the rest of one as well takes as long as a token from the cache.
enum InfoPlistKey: String, CodingKey, CaseIterable {
    case bundleIdentifier = "CFBundleIdentifier"
    case displayName = "CFBundleDisplayName"
    case name = "CFBundleName"
    case version = "CFBundleShortVersionString"
    case urlTypes = "CFBundleURLTypes"
    case urlSchemes = "CFBundleURLSchemes"
    case querySchemes = "LSApplicationQueriesSchemes"
}
