/// The pages of a sign-in for another device: entering the code, and the end.
enum DevicePage {
    /// `code` fills the field in; the person still has to press the button (RFC 8628 §5.4).
    static func entry(code: String?, problem: String?) -> PlainPage {
        PlainPage(
            title: "Sign in another device",
            content: """
                <p>Enter the code that your other device shows. Go on only if you started this sign-in yourself.</p>
                \(alert(problem))
                <form method="post" action="/device">
                <p><label for="user_code">Code</label>
                <input id="user_code" name="user_code" type="text" value="\(code ?? "")" autocomplete="off"
                autocapitalize="characters" spellcheck="false" maxlength="32" required autofocus></p>
                <p class="buttons"><input type="submit" value="Continue"></p>
                </form>
                """)
    }

    static func done(client: String, person: Person) -> PlainPage {
        PlainPage(
            title: "Your device is signed in",
            content: """
                <p><b>\(client)</b> goes on by itself as <b><bdi>\(person.name)</bdi></b> (\(person.username)).</p>
                <p>You can close this page.</p>
                """)
    }

    static func declined(client: String) -> PlainPage {
        PlainPage(
            title: "Nothing was signed in",
            content: "<p><b>\(client)</b> was told no. You can close this page.</p>")
    }
}
