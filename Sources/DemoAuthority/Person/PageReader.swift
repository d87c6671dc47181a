import Foundation

/// What a person sees of a page: its title, its message, its forms.
struct PageReader: Sendable, Equatable {
    struct Input: Sendable, Equatable {
        var type: String
        var name: String
        var value: String
    }

    struct Form: Sendable, Equatable {
        var action: String
        var method: String
        /// Inputs that take part: neither disabled nor unticked boxes.
        var inputs: [Input] = []

        var submits: [Input] { inputs.filter { $0.type == "submit" } }

        func first(ofType types: String...) -> Input? { inputs.first { types.contains($0.type) } }
    }

    private(set) var title = ""
    /// The text of the element with `role=alert`.
    private(set) var alert = ""
    private(set) var forms: [Form] = []

    init(_ markup: String) {
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
