import JSON

/// What to do, which can depend on the platform of the application.
package struct Advice: Sendable, Equatable {
    /// For an unknown platform. Names the alternatives if there are any.
    let general: String
    private let specific: [Platform: String]

    /// The name of ``general`` in a file.
    private static let other = "other"

    init(_ general: String, for specific: [Platform: String] = [:]) {
        (self.general, self.specific) = (general, specific)
    }

    /// A text, or an object of texts by platform; `nil` for anything else.
    init?(_ json: JSONValue) {
        if let text = json.string {
            self.init(text)
            return
        }
        guard let object = json.object, let general = object[Self.other]?.string else { return nil }
        var specific: [Platform: String] = [:]
        for (name, text) in object where name != Self.other {
            guard let platform = Platform(rawValue: name), let text = text.string else { return nil }
            specific[platform] = text
        }
        self.init(general, for: specific)
    }

    func text(for platform: Platform?) -> String { platform.flatMap { specific[$0] } ?? general }

    /// Every text.
    var texts: [String] { [general] + Platform.allCases.compactMap { specific[$0] } }
}
