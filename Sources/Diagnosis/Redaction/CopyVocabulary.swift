import CResources
import Foundation
import JSON
import MSAL
import OAuthCore

/// The words of programs and protocols, which a copy keeps, from `Resources/copy.json`. A word that isn't there can be a name.
enum CopyVocabulary {
    /// Of a damaged file, a copy keeps nothing.
    private static let file = JSONValue(resource: keyturn_resource_copy())

    private static func list(_ name: String) -> [String] { file[name]?.strings ?? [] }
    private static func set(_ name: String) -> Set<String> { Set(list(name)) }

    // MARK: Words of a line

    /// Alone in a line: levels, methods, programs and systems, their loggers, and the words of errors about signing in.
    private static let words = set("words")
    /// Each belongs to one vendor.
    private static let packages = list("packages")
    private static let modules = list("modules")

    static func hasWord(_ word: String) -> Bool {
        words.contains(word) || isOfPackage(word) || isOfModule(word) || isVersion(word) || Statement.isParticle(word)
    }

    /// Whether words in quotation marks or brackets begin like a name, or a word precedes that has a name.
    static func canBeName(_ text: String, after before: String) -> Bool {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count <= 5, words.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIILetter) }),
            !statuses.contains(text)
        else { return false }
        let first = words[0].utf8
        let isCapitalised =
            first.first.map { (65...90).contains($0) } ?? false && first.dropFirst().contains { $0 > 90 }
        return isCapitalised || haveNames.contains(before.lowercased())
    }

    private static let haveNames = set("named")
    /// Not names, although they begin like one.
    private static let statuses = set("statuses")

    private static func isOfPackage(_ word: String) -> Bool {
        guard word.utf8.count <= 160, let package = packages.first(where: word.hasPrefix) else { return false }
        return word.dropFirst(package.count).split(separator: ".").allSatisfy { part in
            part.utf8.allSatisfy { $0.isASCIILetter || $0 == UInt8(ascii: "_") }
        }
    }

    private static let moduleNames = set("moduleNames")

    private static func isOfModule(_ word: String) -> Bool {
        guard let module = modules.first(where: word.hasPrefix) else { return false }
        let rest = word.dropFirst(module.count).split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        return (rest[0].isEmpty || moduleNames.contains(String(rest[0])))
            && (rest.count < 2 || isVersion(String(rest[1])))
    }

    /// At most three numbers: four can be an address.
    private static func isVersion(_ word: String) -> Bool {
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        return (2...3).contains(parts.count)
            && parts.allSatisfy { (1...3).contains($0.count) && $0.utf8.allSatisfy(\.isDigit) }
    }

    static let beforeNumbers = set("numbered")

    // MARK: Names of values

    /// Whether a name says a value's role in common words alone. A longer one can name an owner.
    private static func isOfRole(_ name: String) -> Bool {
        var rest = name.lowercased().filter { $0.isLetter || $0.isNumber }[...]
        guard name.utf8.count <= 80, ValueRole.of(name) != nil else { return false }
        while let part = parts.first(where: rest.hasPrefix) { rest = rest.dropFirst(part.count) }
        return rest.isEmpty
    }

    private static let parts = list("roles").sorted { ($1.count, $0) < ($0.count, $1) }

    /// Whether a name with a value is one of a protocol, a configuration or a log.
    static func hasName(_ name: String) -> Bool {
        WireParameter.isCopied(member: name) || settings.contains(name) || fields.contains(name) || isOfRole(name)
            || claims.contains(name) || WireParameter.named(name)?.isHeader == true
    }

    /// Whether the value of a name has a form that decides what is kept, as in a configuration.
    static func isSetting(_ name: String) -> Bool {
        (settings.contains(name) || claims.contains(name) && WireParameter.named(name) == nil)
            && !WireParameter.isCopied(member: name)
            || name.firstIndex(of: ":").map { namespaces.contains(String(name[..<$0])) } ?? false
    }

    static func isText(_ name: String) -> Bool { fields.contains(name) && !WireParameter.isCopied(member: name) }

    private static let claims = Set(ClaimDictionary.bundled.names)

    /// Members of configurations: of Microsoft.Identity.Web, MSAL for Android, registrations and kubeconfig.
    private static let settings = set("settings")
    /// Members of a log's lines, and of errors in it.
    private static let fields = set("fields")

    // MARK: Markup

    static let namespaces = set("namespaces")
    /// Those whose names, attributes and texts are kept or replaced one by one.
    static let elements = set("elements")
    static let keys = set("keys")

    static func hasValue(_ word: String) -> Bool { values.contains(word) && word.contains(where: \.isLetter) }

    static let values = set("values")

    // MARK: URLs

    /// The hosts that the causes name, which are the same for everybody.
    static let hosts = MicrosoftHosts.signIn.union(set("hosts")).union(named.compactMap(host))

    /// The domains in which a provider gives each customer a host.
    static let families = MicrosoftHosts.customerDomains + list("families")

    static let segments = Set(named.flatMap { $0.split(separator: "/").map { $0.lowercased() } })

    /// The words with a slash in the texts that ``LogFile`` looks for.
    private static let named = KnownCause.bundled.flatMap(\.marks).compactMap { mark -> [String]? in
        guard case .text(let text) = mark else { return nil }
        return text.split { $0.isWhitespace || "\"'()<>".contains($0) }.map(String.init).filter { $0.contains("/") }
    }.flatMap(\.self)

    private static func host(_ text: String) -> String? {
        guard let mark = text.firstRange(of: "://") else { return nil }
        let rest = text[mark.upperBound...]
        let host = rest.prefix { $0 != "/" }
        return host.contains(".") && host.endIndex < rest.endIndex ? host.lowercased() : nil
    }
}
