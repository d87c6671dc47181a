import OAuthCore

/// Sends the response to the client as a form (OAuth 2.0 Form Post Response Mode §2). Pages have no script, so the user
/// presses the button.
struct FormPostPage: Page {
    let client: String
    let target: String
    let parameters: Parameters

    var title: String { "Back to \(client)" }

    var content: HTML {
        """
        <p>You are done here.</p>
        <form method="post" action="\(target)">
        \(parameters.pairs.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">\n" })
        <p class="buttons"><input type="submit" value="Continue" autofocus></p>
        </form>
        """
    }
}
