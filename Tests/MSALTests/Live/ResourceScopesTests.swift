import MSAL
import Testing

@Suite("The scopes of an ADAL resource")
struct ResourceScopesTests {
    @Test(
        "Keep the resource's spelling",
        arguments: [
            ("https://graph.microsoft.com", "https://graph.microsoft.com/.default"),
            ("https://graph.windows.net/", "https://graph.windows.net//.default"),
            ("api://11111111-2222-3333-4444-555555555555", "api://11111111-2222-3333-4444-555555555555/.default"),
            ("11111111-2222-3333-4444-555555555555", "11111111-2222-3333-4444-555555555555/.default"),
        ])
    func kept(resource: String, scope: String) {
        #expect(MSALPublicClientApplication.scopes(forADALResource: resource) == [scope])
    }
}
