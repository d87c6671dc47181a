/// A method of HTTP (RFC 9110 §9), for tokens that are bound to one request (MSAL for iOS and macOS, `MSALHttpMethod`).
public enum MSALHttpMethod: UInt, Sendable, CaseIterable {
    case GET = 0
    case HEAD = 1
    case POST = 2
    case PUT = 3
    case DELETE = 4
    case CONNECT = 5
    case OPTIONS = 6
    case TRACE = 7
    case PATCH = 8
}

/// The method's name as it stands in a request.
public func MSALParameterStringForHttpMethod(_ httpMethod: MSALHttpMethod) -> String! { String(describing: httpMethod) }
