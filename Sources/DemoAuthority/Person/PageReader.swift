import Foundation

/// The parts of a page that a user sees: title, message and forms.
package struct PageReader: Sendable, Equatable {
    package struct Input: Sendable, Equatable {
        package var type: String
        package var name: String
        package var value: String

        package init(type: String, name: String, value: String) {
            self.type = type
            self.name = name
            self.value = value
        }
    }

    package struct Form: Sendable, Equatable {
        package var action: String
        package var method: String
        /// The inputs to submit, without disabled ones and unticked boxes.
        package var inputs: [Input]

        package init(action: String, method: String, inputs: [Input] = []) {
            self.action = action
            self.method = method
            self.inputs = inputs
        }

        var submits: [Input] { inputs.filter { $0.type == "submit" } }

        func first(ofType types: String...) -> Input? { inputs.first { types.contains($0.type) } }
    }

    package private(set) var title = ""
    /// The text of the element with `role=alert`.
    package private(set) var alert = ""
    package private(set) var forms: [Form] = []

    package init(title: String, alert: String, forms: [Form]) {
        self.title = title
        self.alert = alert
        self.forms = forms
    }

    package init(_ markup: String) {
        var titleIsOpen = false
        var alertTag: String?
        for piece in MarkupScanner.pieces(of: markup) {
            switch piece {
            case .text(let text):
                if titleIsOpen { title += text }
                if alertTag != nil { alert += text }
            case .close(let name):
                if name == "title" { titleIsOpen = false }
                if name == alertTag { alertTag = nil }
            case .open(let name, let attributes):
                if name == "title", title.isEmpty { titleIsOpen = true }
                if attributes["role"] == "alert" { alertTag = name }
                read(name, attributes)
            }
        }
        title = title.trimmingCharacters(in: .whitespacesAndNewlines)
        alert = alert.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private mutating func read(_ name: String, _ attributes: [String: String]) {
        switch name {
        case "form":
            forms.append(Form(action: attributes["action"] ?? "", method: (attributes["method"] ?? "get").lowercased()))
        case "input", "button":
            let type = (attributes["type"] ?? (name == "button" ? "submit" : "text")).lowercased()
            let isUnticked = (type == "checkbox" || type == "radio") && attributes["checked"] == nil
            guard !forms.isEmpty, attributes["disabled"] == nil, !isUnticked else { return }
            let input = Input(type: type, name: attributes["name"] ?? "", value: attributes["value"] ?? "")
            forms[forms.count - 1].inputs.append(input)
        default: break
        }
    }
}
