import Foundation

/// The equivalent error codes of `NSURLErrorDomain`.
extension TransportFailure {
    var urlError: NSError { NSError(domain: NSURLErrorDomain, code: urlErrorCode) }

    private var urlErrorCode: Int {
        switch kind {
        case .couldNotResolveHost: NSURLErrorCannotFindHost
        case .offline: NSURLErrorNotConnectedToInternet
        case .couldNotConnect, .proxy, .foreignPort: NSURLErrorCannotConnectToHost
        case .plainHTTP: NSURLErrorSecureConnectionFailed
        case .timedOut: NSURLErrorTimedOut
        case .connectionLost: NSURLErrorNetworkConnectionLost
        case .untrustedCertificate, .unsafeAuthorities: NSURLErrorServerCertificateUntrusted
        case .bodyTooLarge: NSURLErrorDataLengthExceedsMaximum
        case .cancelled: NSURLErrorCancelled
        case .libraryMissing, .systemLimit, .other: NSURLErrorUnknown
        }
    }

    /// The failure in one sentence, which names the host.
    package func sentence(host: String) -> String {
        switch kind {
        case .couldNotResolveHost, .offline, .plainHTTP, .bodyTooLarge, .unsafeAuthorities, .libraryMissing,
            .systemLimit:
            reasonSentence
        case .untrustedCertificate: "The certificate of \(host) isn't trusted: \(reasonSentence)"
        case .proxy: "Can't use the proxy: \(reasonSentence)"
        case .timedOut: "\(host) took too long to respond: \(reasonSentence)"
        case .connectionLost: "The connection to \(host) was lost: \(reasonSentence)"
        case .couldNotConnect, .foreignPort, .cancelled, .other: "Can't reach \(host): \(reasonSentence)"
        }
    }

    /// The reason, with a full stop unless it already ends with punctuation.
    package var reasonSentence: String { [".", "!", "?"].contains(where: reason.hasSuffix) ? reason : reason + "." }

    /// The outcome in under 60 characters.
    func headline(host: String) -> String {
        switch kind {
        case .proxy: "Can't use the proxy."
        case .untrustedCertificate: "The server's certificate isn't trusted."
        case .unsafeAuthorities: "The CA file can't be used."
        case .foreignPort: "The server may belong to another user."
        case .plainHTTP, .couldNotResolveHost, .offline: reasonSentence.beginning(58)
        case .bodyTooLarge: "The response is too large."
        case .libraryMissing: "The HTTP library can't be used."
        case .systemLimit: "A limit of this computer is too low."
        case .timedOut: "\(host.beginning(30)) took too long to respond."
        case .connectionLost: "The connection to \(host.beginning(28)) was lost."
        case .couldNotConnect, .cancelled, .other: "Can't reach \(host.beginning(44))."
        }
    }

    package static let clockRemedy = "Synchronise the clock: timedatectl set-ntp true."

    /// Whether the certificate isn't valid at the time of this computer's clock, which can be what is wrong.
    private var isOfDate: Bool { reason.contains("not yet valid") || reason.contains("has expired") }

    package var nextStep: String {
        switch kind {
        case .untrustedCertificate where isOfDate:
            "Check this computer's clock. \(Self.clockRemedy) If it is right, ask the server's operator for a valid certificate."
        case .untrustedCertificate where reason.contains("does not match"): "Check the URL's host."
        case .untrustedCertificate:
            "Check the URL. If your organisation runs its own certificate authority, pass its file (--ca-file)."
        case .unsafeAuthorities:
            "Correct the file, install the package ca-certificates, or use another file (--ca-file, SSL_CERT_FILE)."
        case .foreignPort:
            "Stop that process, or use another port. If it's another user's authority, use https."
        case .plainHTTP:
            "Use http:// if the server is on this computer. Elsewhere, use the https port."
        case .couldNotResolveHost: "Check the spelling of the URL, and the network."
        case .libraryMissing(let package): "Install \(package), or correct the library path."
        case .systemLimit: "Then try again."
        case .offline: "Connect this computer to a network, then try again."
        case .bodyTooLarge: "Check that the URL belongs to an authority."
        case .proxy(let variable): "Check the proxy's address and password ($\(variable)), or ask its operator."
        case .couldNotConnect, .timedOut, .connectionLost, .cancelled, .other:
            "Check the network and the URL, then try again."
        }
    }
}
