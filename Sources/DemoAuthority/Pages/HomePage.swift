import OAuthCore

/// The page at the authority's URL.
struct HomePage: Page {
    let origin: String
    let directory: Directory

    var title: String { "An authority for trying out sign-ins" }

    var content: HTML {
        """
        <p>It issues real tokens, signed with a key that lasts until the program ends.</p>
        <h2>Tenants</h2>
        <dl>
        \(directory.tenants.map(entry))
        </dl>
        <h2>Applications</h2>
        <dl>
        \(directory.clients.map { "<dt>\($0.name)</dt><dd><code>\($0.id)</code></dd>\n" })
        </dl>
        <h2>Users</h2>
        <dl>
        \(directory.users.map { "<dt><bdi>\($0.name)</bdi></dt><dd><kbd>\($0.username)</kbd><br>\($0.story)</dd>\n" })
        </dl>
        """
    }

    private func entry(for tenant: Tenant) -> HTML {
        let issuer = "\(origin)/\(tenant.id)/v2.0"
        return """
            <dt>\(tenant.name)</dt>
            <dd>\(tenant.domains.joined(separator: ", "))<br>
            <a href="\(issuer)/.well-known/openid-configuration">\(issuer)</a></dd>

            """
    }
}
