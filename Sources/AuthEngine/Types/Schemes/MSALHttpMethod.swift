/// A method of HTTP (RFC 9110 §9), for tokens that are bound to one request (MSAL for iOS and macOS, `MSALHttpMethod`).
public enum MSALHttpMethod: UInt, Sendable, CaseIterable {
    /// Asks for a representation.
    case GET = 0
    /// Asks for the headers of one.
    case HEAD = 1
    /// Hands something over to be processed.
    case POST = 2
    /// Replaces what is there.
    case PUT = 3
    /// Removes it.
    case DELETE = 4
    /// Asks a proxy for a tunnel.
    case CONNECT = 5
    /// Asks what may be done.
    case OPTIONS = 6
    /// Asks for the request as it arrived.
    case TRACE = 7
    /// Changes a part (RFC 5789).
    case PATCH = 8
}

/// The method's name as it stands in a request.
@discardableResult
public func MSALParameterStringForHttpMethod(_ httpMethod: MSALHttpMethod) -> String! { String(describing: httpMethod) }
