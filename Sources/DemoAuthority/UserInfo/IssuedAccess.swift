/// The grant behind an access token.
struct IssuedAccess: Sendable, Equatable {
    var grant: Grant
    var scopes: [RequestedScope]
}
