import Foundation

/// A page of the authority as the user saw it, and what they did there. Never contains a password.
package struct PageVisit: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        package enum Kind: Sendable, Equatable {
            case text
            /// The value consists of bullets.
            case password
            case checkbox(isTicked: Bool)
        }

        package var label: String
        package var value: String
        package var kind: Kind
        /// Whether the page came with the value.
        package var isPrefilled: Bool

        package init(_ kind: Kind, label: String, value: String = "", isPrefilled: Bool = false) {
            (self.kind, self.label, self.value, self.isPrefilled) = (kind, label, value, isPrefilled)
        }
    }

    /// When it was seen; of a user without a clock, the distant past.
    package var date: Date
    package var title: String
    package var alert: String
    /// The other text, by paragraph.
    package var text: [String]
    package var fields: [Field]
    package var buttons: [String]
    /// The button that the user pressed; nil on the last page.
    package var pressed: String?

    package init(
        date: Date = .distantPast, title: String, alert: String = "", text: [String] = [], fields: [Field] = [],
        buttons: [String] = [], pressed: String? = nil
    ) {
        self.date = date
        self.title = title
        self.alert = alert
        self.text = text
        self.fields = fields
        self.buttons = buttons
        self.pressed = pressed
    }

    /// What the user did, as a sentence without a full stop.
    package var action: String? {
        guard let pressed else { return nil }
        let filled = fields.compactMap { field -> String? in
            switch field.kind {
            case .text: field.value.isEmpty || field.isPrefilled ? nil : "enter \(field.value)"
            case .password: field.value.isEmpty ? nil : "enter the password"
            case .checkbox(let isTicked): isTicked ? nil : "untick \"\(field.label)\""
            }
        }
        return (filled + ["press \(pressed)"]).joined(separator: ", ")
    }
}
