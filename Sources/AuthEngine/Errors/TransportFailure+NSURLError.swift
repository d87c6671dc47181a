import Foundation

/// The equivalent error codes of `NSURLErrorDomain`.
extension TransportFailure {
    var urlErrorCode: Int {
        switch kind {
        case .couldNotResolveHost: NSURLErrorCannotFindHost
        case .couldNotConnect, .foreignPort: NSURLErrorCannotConnectToHost
        case .plainHTTP: NSURLErrorSecureConnectionFailed
        case .timedOut: NSURLErrorTimedOut
        case .connectionLost: NSURLErrorNetworkConnectionLost
        case .untrustedCertificate, .unsafeAuthorities: NSURLErrorServerCertificateUntrusted
        case .bodyTooLarge: NSURLErrorDataLengthExceedsMaximum
        case .cancelled: NSURLErrorCancelled
        case .other: NSURLErrorUnknown
        }
    }

    var nextStep: String {
        switch kind {
        case .untrustedCertificate:
            "Check the URL. If your organisation runs its own certificate authority, name its file (--ca-file)."
        case .unsafeAuthorities: "Fix the file, or name another one (--ca-file)."
        case .foreignPort:
            "Stop that process, or use another port. If it's another user's authority, use https."
        case .plainHTTP:
            "Use http:// if the server is on this computer. Elsewhere, use the https port."
        case .couldNotResolveHost: "Check the spelling of the URL, and the network."
        case .bodyTooLarge: "Check that the URL belongs to an authority."
        case .couldNotConnect, .timedOut, .connectionLost, .cancelled, .other:
            "Check the network, the proxy and the URL, then try again."
        }
    }
}
