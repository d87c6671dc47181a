import OAuthCore

extension ScriptedUser {
    /// The user's action on a page.
    struct Step: Sendable {
        let form: PageReader.Form
        let parameters: Parameters
        /// The label of the pressed button.
        let button: String?
        let typesPassword: Bool
    }

    func step(on page: PageReader, status: Int, hasTypedPassword: Bool) throws -> Step {
        guard let form = page.forms.first(where: { $0.method == "post" && !$0.submits.isEmpty }) else {
            throw Stuck.pageWithoutForm(title: page.title, alert: page.alert, status: status)
        }
        guard let passwordInput = form.first(ofType: "password") else { return press(on: form) }
        // The same password would be rejected again.
        if hasTypedPassword { throw Stuck.rejected(title: page.title, alert: page.alert) }
        return type(into: form, passwordInput)
    }

    private func type(into form: PageReader.Form, _ passwordInput: PageReader.Input) -> Step {
        let usernameInput = form.first(ofType: "text", "email")
        let button = form.submits.first { $0.name.isEmpty } ?? form.submits.first
        var parameters = hidden(in: form)
        if let usernameInput { parameters[usernameInput.name] = username }
        parameters[passwordInput.name] = password.reveal()
        add(button, to: &parameters)
        return Step(form: form, parameters: parameters, button: button?.value, typesPassword: true)
    }

    /// Answers a page without a password: account choice, consent or confirmation.
    private func press(on form: PageReader.Form) -> Step {
        let button = choice(among: form.submits)
        var parameters = hidden(in: form)
        for field in form.inputs where ["checkbox", "radio", "text"].contains(field.type) && !unticks(field) {
            parameters.append(field.name, field.value)
        }
        add(button, to: &parameters)
        return Step(form: form, parameters: parameters, button: button?.value, typesPassword: false)
    }

    /// Matches a scope on a consent page, which includes its resource.
    private func unticks(_ field: PageReader.Input) -> Bool {
        guard case .without(let scopes) = consent, field.type == "checkbox" else { return false }
        return scopes.contains { field.value.hasSuffix("/\($0.lowercased())") }
    }

    private func choice(among buttons: [PageReader.Input]) -> PageReader.Input? {
        if let own = buttons.first(where: { $0.value.lowercased() == username.lowercased() }) { return own }
        if buttons.contains(where: { $0.name == "account" }) { return buttons.first { $0.name == "other" } }
        let rejection = buttons.first { ["decline", "cancel", "deny", "no"].contains($0.value.lowercased()) }
        return consent == .decline ? rejection ?? buttons.first : buttons.first { $0 != rejection }
    }

    private func hidden(in form: PageReader.Form) -> Parameters {
        var parameters: Parameters = [:]
        for input in form.inputs where input.type == "hidden" { parameters.append(input.name, input.value) }
        return parameters
    }

    private func add(_ button: PageReader.Input?, to parameters: inout Parameters) {
        if let button, !button.name.isEmpty { parameters.append(button.name, button.value) }
    }
}

extension PageVisit {
    /// - Parameter step: the user's action; `nil` if they can't continue.
    init(_ page: PageReader, _ step: ScriptedUser.Step?) {
        self.init(
            title: page.title, alert: page.alert, text: page.text, fields: page.fields.map { Field($0, step) },
            buttons: page.forms.flatMap(\.submits).map(\.value), pressed: step.map { $0.button ?? "Enter" })
    }
}

extension PageVisit.Field {
    fileprivate init(_ field: PageReader.Field, _ step: ScriptedUser.Step?) {
        switch field.type {
        case "password":
            self.init(.password, label: field.label, value: step?.typesPassword == true ? "••••••••" : "")
        case "checkbox":
            let sent = step?.parameters.pairs.contains { $0.name == field.name && $0.value == field.value }
            // A disabled box has no name and stays as it is.
            let isTicked = field.name.isEmpty ? field.isTicked : sent ?? field.isTicked
            self.init(.checkbox(isTicked: isTicked), label: field.label)
        default:
            let value = step?.parameters[field.name] ?? field.value
            self.init(.text, label: field.label, value: value, isPrefilled: !value.isEmpty && value == field.value)
        }
    }
}
