import OAuthCore

/// The second factor, as a page instead of a phone.
struct SecondFactorPage: Page {
    let client: String
    let person: Person
    let form: FormBinding

    var title: String { "Confirm your identity" }

    var content: HTML {
        """
        <p><b>\(client)</b> requires MFA for <b><bdi>\(person.name)</bdi></b> (\(person.username)).</p>
        <p>These buttons replace the prompt on your phone:</p>
        <form method="post" action="\(form.action)">
        \(form.fields)
        <p class="buttons"><input type="submit" name="approve" value="Approve">
        <input type="submit" name="deny" value="Cancel"></p>
        </form>
        """
    }
}
