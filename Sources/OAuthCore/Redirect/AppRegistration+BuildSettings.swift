/// Build settings in the `Info.plist` of an Xcode project, such as `$(PRODUCT_BUNDLE_IDENTIFIER)`. Xcode replaces them in the
/// built application.
extension AppRegistration {
    /// Whether the bundle identifier is, or contains, a build setting.
    package var hasBuildSetting: Bool { Self.setting(in: bundleIdentifier) != nil }

    /// The registration of the built application if its identifier is known: from the redirect URI or from a scheme.
    /// Otherwise the registration itself.
    package func built(for uri: String?) -> AppRegistration {
        guard hasBuildSetting else { return self }
        let names = [uri].compactMap(\.self) + urlSchemes
        guard let identifier = names.lazy.compactMap(implied).first else { return self }
        var built = self
        built.bundleIdentifier = identifier
        built.urlSchemes = Self.replacingIdentifier(in: urlSchemes, bundleIdentifier, with: identifier)
        return built
    }

    /// The schemes with a known identifier in the place of the build setting.
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
        let fits =
            identifier.hasPrefix(start) && identifier.hasSuffix(end) && identifier.count > start.count + end.count
        return fits ? identifier : nil
    }

    private static let schemePrefix = "msauth."

    /// The range of the build settings in a text.
    private static func setting(in text: String) -> Range<String.Index>? {
        guard text.contains("$"), let first = text.firstRange(of: #/\$\([^)]*\)|\$\{[^}]*\}/#) else { return nil }
        let end = text.ranges(of: #/\$\([^)]*\)|\$\{[^}]*\}/#).last?.upperBound ?? first.upperBound
        return first.lowerBound..<end
    }
}
