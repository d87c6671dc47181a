import OAuthCore

/// The form for username and password, with the available users.
struct SignInPage: Page {
    let client: String
    let place: String
    let username: String
    let problem: String?
    let people: [Person]
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
        \(people.map(entry))
        </dl>
        </section>
        """
    }

    private func entry(for person: Person) -> HTML {
        """
        <dt><bdi>\(person.name)</bdi></dt>
        <dd><kbd>\(person.username)</kbd> <kbd>\(person.password)</kbd><br>\(person.story)</dd>

        """
    }
}
