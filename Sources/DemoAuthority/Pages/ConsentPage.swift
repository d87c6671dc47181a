import OAuthCore

/// The permissions that a client requests, each with a checkbox.
struct ConsentPage: Page {
    /// A permission in the list.
    struct Item: Sendable {
        let scope: RequestedScope
        let title: String
        let explanation: String
        /// Whether the user can decline the permission. OpenID scopes are required.
        let isOptional: Bool
    }

    let client: String
    let user: User
    let items: [Item]
    let form: FormBinding

    var title: String { "Permissions requested" }

    var content: HTML {
        """
        <p><b>\(client)</b> requests access to the account of <b><bdi>\(user.name)</bdi></b> (\(user.username)):</p>
        <form method="post" action="\(form.action)">
        \(form.fields)
        <ul class="scopes">
        \(items.enumerated().map { line(for: $1, number: $0) })
        </ul>
        <p class="buttons"><input type="submit" name="accept" value="Accept">
        <input type="submit" name="decline" value="Decline"></p>
        </form>
        """
    }

    private func line(for item: Item, number: Int) -> HTML {
        let choice: HTML =
            item.isOptional
            ? "<input type=\"checkbox\" id=\"scope\(String(number))\" name=\"scope\" value=\"\(item.scope.consentKey)\" checked>"
            : "<input type=\"checkbox\" id=\"scope\(String(number))\" checked disabled>"
        return """
            <li>\(choice) <label for="scope\(String(number))"><b>\(item.title)</b> <code>(\(item.scope.text))</code>
            <span>\(item.explanation)</span></label></li>

            """
    }
}
