import OAuthCore

/// What a phone would ask, on the page: a demonstration has no phone.
struct SecondFactorPage: Page {
    let client: String
    let person: Person
    let form: FormBinding

    var title: String { "More than a password" }

    var content: HTML {
        """
        <p><b>\(client)</b> needs to be surer that you are <b><bdi>\(person.name)</bdi></b> (\(person.username)).</p>
        <p>Elsewhere your phone would ask now. These are its buttons:</p>
        <form method="post" action="\(form.action)">
        \(form.fields)
        <p class="buttons"><input type="submit" name="approve" value="It is me">
        <input type="submit" name="deny" value="Cancel"></p>
        </form>
        """
    }
}
