import OAuthCore

/// Asks before signing out, because any site can link to this page (RP-Initiated Logout §2).
struct SignOutPage: Page {
    let users: [User]
    let action: String
    let antiForgeryToken: String
    let returnTo: String?
    let state: String?

    var title: String { "Sign out?" }

    var content: HTML {
        """
        <p>Signed in with this browser:</p>
        <ul>
        \(users.map { "<li><bdi>\($0.name)</bdi> (\($0.username))</li>\n" })
        </ul>
        <form method="post" action="\(action)">
        <input type="hidden" name="token" value="\(antiForgeryToken)">
        \(hidden("post_logout_redirect_uri", returnTo))\(hidden("state", state))
        <p class="buttons"><input type="submit" name="confirm" value="Sign out">
        <input type="submit" name="cancel" value="Stay signed in"></p>
        </form>
        """
    }

    private func hidden(_ name: String, _ value: String?) -> HTML {
        value.map { "<input type=\"hidden\" name=\"\(name)\" value=\"\($0)\">\n" } ?? ""
    }
}
