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
            "Check the address. If your organisation runs its own certificate authority, name its file (--ca-file)."
        case .unsafeAuthorities: "Correct that, or name another file (--ca-file)."
        case .foreignPort:
            "Stop that process, or run the authority on another port. An authority of another user needs https."
        case .plainHTTP:
            "Write the address with http:// if it is on this computer. Elsewhere, use the port that speaks https."
        case .couldNotResolveHost: "Check the address for a typing error, and the network."
        case .bodyTooLarge: "Check the address: no authority answers that much."
        case .couldNotConnect, .timedOut, .connectionLost, .cancelled, .other:
            "Check the network, the proxy and the address, then try again."
        }
    }
}
