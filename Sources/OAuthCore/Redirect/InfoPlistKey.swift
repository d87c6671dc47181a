/// The keys of an `Info.plist` that are read. Reading the others takes as long as getting a cached token.
enum InfoPlistKey: String, CodingKey, CaseIterable {
    case bundleIdentifier = "CFBundleIdentifier"
    case displayName = "CFBundleDisplayName"
    case name = "CFBundleName"
    case version = "CFBundleShortVersionString"
    case urlTypes = "CFBundleURLTypes"
    case urlSchemes = "CFBundleURLSchemes"
    case querySchemes = "LSApplicationQueriesSchemes"
}
