import OAuthCore

/// The form for username and password, with the available users.
struct SignInPage: Page {
    let client: String
    let place: String
    let username: String
    let problem: String?
    let users: [User]
    let form: FormBinding

    var title: String { "Sign in to \(place)" }

    var content: HTML {
        """
        <p>to continue to <b>\(client)</b></p>
        \(alert(problem))
        <form method="post" action="\(form.action)">
        \(form.fields)
        <p><label for="username">Username</label>
        <input id="username" name="username" type="text" value="\(username)" autocomplete="username" autocapitalize="none"
        spellcheck="false" required\(username.isEmpty ? " autofocus" : "")></p>
        <p><label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password"\
        \(username.isEmpty ? "" : " autofocus")></p>
        <p class="buttons"><input type="submit" value="Sign in">
        <input type="submit" name="cancel" value="Cancel" formnovalidate></p>
        </form>
        <section>
        <h2>Users</h2>
        <p>This is a demonstration. These users exist only on this computer:</p>
        <dl>
        \(users.map(entry))
        </dl>
        </section>
        """
    }

    private func entry(for user: User) -> HTML {
        """
        <dt><bdi>\(user.name)</bdi></dt>
        <dd><kbd>\(user.username)</kbd> <kbd>\(user.password)</kbd><br>\(user.story)</dd>

        """
    }
}

/// The second factor, as a page instead of a phone.
struct SecondFactorPage: Page {
    let client: String
    let user: User
    let form: FormBinding

    var title: String { "Confirm your identity" }

    var content: HTML {
        """
        <p><b>\(client)</b> requires MFA for <b><bdi>\(user.name)</bdi></b> (\(user.username)).</p>
        <p>These buttons replace the prompt on your phone:</p>
        <form method="post" action="\(form.action)">
        \(form.fields)
        <p class="buttons"><input type="submit" name="approve" value="Approve">
        <input type="submit" name="deny" value="Cancel"></p>
        </form>
        """
    }
}

/// Shown if several accounts are signed in, or if the client requests it (`select_account`).
struct AccountPickerPage: Page {
    let client: String
    let users: [User]
    let form: FormBinding

    var title: String { "Pick an account" }

    var content: HTML {
        """
        <p>to continue to <b>\(client)</b></p>
        <form method="post" action="\(form.action)">
        \(form.fields)
        <ul class="accounts">
        \(users.map { "<li><bdi>\($0.name)</bdi> <input type=\"submit\" name=\"account\" value=\"\($0.username)\"></li>\n" })
        </ul>
        <p class="buttons"><input type="submit" name="other" value="Use another account">
        <input type="submit" name="cancel" value="Cancel"></p>
        </form>
        """
    }
}
