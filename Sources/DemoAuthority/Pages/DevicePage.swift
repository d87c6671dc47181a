/// The pages of a device code sign-in.
enum DevicePage {
    /// `code` fills in the field; the user must still press the button (RFC 8628 §5.4).
    static func entry(code: String?, problem: String?) -> MessagePage {
        MessagePage(
            title: "Device sign-in",
            content: """
                <p>Enter the code shown on your other device. Continue only if you started this sign-in yourself.</p>
                \(alert(problem))
                <form method="post" action="/device">
                <p><label for="user_code">Code</label>
                <input id="user_code" name="user_code" type="text" value="\(code ?? "")" autocomplete="off"
                autocapitalize="characters" spellcheck="false" maxlength="32" required autofocus></p>
                <p class="buttons"><input type="submit" value="Continue"></p>
                </form>
                """)
    }

    static func done(client: String, user: User) -> MessagePage {
        MessagePage(
            title: "Your device is signed in",
            content: """
                <p><b>\(client)</b> continues as <b><bdi>\(user.name)</bdi></b> (\(user.username)).</p>
                <p>You can close this page.</p>
                """)
    }

    static func declined(client: String) -> MessagePage {
        MessagePage(
            title: "Sign-in declined",
            content: "<p><b>\(client)</b> has no access. You can close this page.</p>")
    }
}
