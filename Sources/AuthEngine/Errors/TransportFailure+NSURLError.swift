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

    /// The failure in one sentence, which names the host.
    package func sentence(host: String) -> String {
        switch kind {
        case .couldNotResolveHost, .plainHTTP, .bodyTooLarge: reasonSentence
        case .couldNotConnect, .timedOut, .connectionLost, .untrustedCertificate, .unsafeAuthorities, .foreignPort,
            .cancelled, .other:
            "Can't reach \(host): \(reasonSentence)"
        }
    }

    /// The reason, with a full stop unless it already ends with punctuation.
    package var reasonSentence: String { [".", "!", "?"].contains(where: reason.hasSuffix) ? reason : reason + "." }

    /// The outcome, if the server was reached or the request wasn't sent.
    var headline: String? {
        switch kind {
        case .unsafeAuthorities: "The CA file can't be used."
        case .foreignPort: "The server may belong to another user."
        case .plainHTTP: reason.beginning(58)
        case .bodyTooLarge: "The response is too large."
        case .couldNotResolveHost, .couldNotConnect, .timedOut, .connectionLost, .untrustedCertificate, .cancelled,
            .other:
            nil
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
