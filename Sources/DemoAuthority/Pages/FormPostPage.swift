import OAuthCore

/// Carries the answer to the client in a form body (OAuth 2.0 Form Post Response Mode §2). There is no script to send it by
/// itself, so the person does.
struct FormPostPage: Page {
    let client: String
    let target: String
    let parameters: Parameters

    var title: String { "Back to \(client)" }

    var content: HTML {
        """
        <p>Everything is done here.</p>
        <form method="post" action="\(target)">
        \(parameters.pairs.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">\n" })
        <p class="buttons"><input type="submit" value="Continue" autofocus></p>
        </form>
        """
    }
}
