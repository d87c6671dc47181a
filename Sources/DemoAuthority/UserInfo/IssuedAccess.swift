/// What an access token stands for.
struct IssuedAccess: Sendable, Equatable {
    var grant: Grant
    var scopes: [RequestedScope]
}
