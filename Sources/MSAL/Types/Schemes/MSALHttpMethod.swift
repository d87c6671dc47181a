/// The HTTP method of the request that a token is bound to (RFC 9110 §9; MSAL for iOS and macOS, `MSALHttpMethod`).
public enum MSALHttpMethod: UInt, Sendable, CaseIterable {
    /// Gets a representation.
    case GET = 0
    /// Gets only the headers of a representation.
    case HEAD = 1
    /// Submits content for processing.
    case POST = 2
    /// Replaces a resource.
    case PUT = 3
    /// Deletes a resource.
    case DELETE = 4
    /// Opens a tunnel through a proxy.
    case CONNECT = 5
    /// Gets the communication options.
    case OPTIONS = 6
    /// Echoes the request.
    case TRACE = 7
    /// Modifies a resource in part (RFC 5789).
    case PATCH = 8
}

/// Returns the name of an HTTP method.
@discardableResult
public func MSALParameterStringForHttpMethod(_ httpMethod: MSALHttpMethod) -> String! { String(describing: httpMethod) }
