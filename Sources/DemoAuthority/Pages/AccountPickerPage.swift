import OAuthCore

/// Shown if several accounts are signed in, or if the client requests it (`select_account`).
struct AccountPickerPage: Page {
    let client: String
    let people: [Person]
    let form: FormBinding

    var title: String { "Pick an account" }

    var content: HTML {
        """
        <p>to continue to <b>\(client)</b></p>
        <form method="post" action="\(form.action)">
        \(form.fields)
        <ul class="accounts">
        \(people.map { "<li><bdi>\($0.name)</bdi> <input type=\"submit\" name=\"account\" value=\"\($0.username)\"></li>\n" })
        </ul>
        <p class="buttons"><input type="submit" name="other" value="Use another account">
        <input type="submit" name="cancel" value="Cancel"></p>
        </form>
        """
    }
}
