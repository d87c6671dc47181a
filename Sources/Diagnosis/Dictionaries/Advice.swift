import JSON

/// What to do, which can depend on the platform of the application.
package struct Advice: Sendable, Equatable {
    /// For an unknown platform. Names the alternatives if there are any.
    let general: String
    private let specific: [String: String]

    /// The name of ``general`` in a file.
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

    /// Every text.
    var texts: [String] { [general] + specific.sorted { $0.key < $1.key }.map(\.value) }
}
