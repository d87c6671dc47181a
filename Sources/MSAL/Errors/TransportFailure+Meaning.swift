import Foundation

extension TransportFailureKind {
    /// What a failure of this kind means to programs, to flows and to the user.
    package struct Meaning: Sendable {
        package enum Retry: Sendable { case never, later, atOnceUnlessSpending, atOnce }

        /// A code of `NSURLErrorDomain`.
        let code: Int
        let retry: Retry
        /// What failed, with `%` for the host; `nil` if the reason says it.
        let outcome: String?
        /// Under 60 characters; `nil` for the outcome, or the reason.
        let headline: String?
        let nextStep: String
        package let kind: MSALFailureKind

        fileprivate init(
            _ code: Int, _ retry: Retry = .never, _ outcome: String? = nil, headline: String? = nil,
            kind: MSALFailureKind = .unavailable, next: String = "Check the network and the URL, then try again."
        ) {
            (self.code, self.retry, self.outcome, self.headline) = (code, retry, outcome, headline)
            (self.kind, nextStep) = (kind, next)
        }
    }

    package var meaning: Meaning {
        switch self {
        case .couldNotResolveHost:
            Meaning(NSURLErrorCannotFindHost, .atOnce, next: "Check the spelling of the URL, and the network.")
        case .offline:
            Meaning(
                NSURLErrorNotConnectedToInternet, .atOnce, next: "Connect this computer to a network, then try again.")
        case .couldNotConnect: Meaning(NSURLErrorCannotConnectToHost, .atOnce, "Can't reach %")
        // The user has waited once for a server or proxy that accepts and doesn't answer.
        case .timedOut: Meaning(NSURLErrorTimedOut, .later, "% took too long to respond")
        case .proxy(let variable):
            Meaning(
                NSURLErrorCannotConnectToHost, .later, "Can't use the proxy",
                next: "Check the proxy's address and password ($\(variable)), or ask its operator.")
        case .connectionLost:
            Meaning(NSURLErrorNetworkConnectionLost, .atOnceUnlessSpending, "The connection to % was lost")
        case .untrustedCertificate:
            Meaning(
                NSURLErrorServerCertificateUntrusted, .never, "The certificate of % isn't trusted",
                headline: "The server's certificate isn't trusted.",
                next:
                    "Check the URL. If your organisation runs its own certificate authority, pass its file (--ca-file)."
            )
        // Permanent: the user has to change the files or the authority.
        case .unsafeAuthorities:
            Meaning(
                NSURLErrorServerCertificateUntrusted, headline: "The CA file can't be used.", kind: .misconfigured,
                next:
                    "Correct the file, install the package ca-certificates, or use another file (--ca-file, SSL_CERT_FILE)."
            )
        case .foreignPort:
            Meaning(
                NSURLErrorCannotConnectToHost, .never, "Can't reach %",
                headline: "The server may belong to another user.", kind: .misconfigured,
                next: "Stop that process, or use another port. If it's another user's authority, use https.")
        case .plainHTTP:
            Meaning(
                NSURLErrorSecureConnectionFailed, kind: .misconfigured,
                next: "Use http:// if the server is on this computer. Elsewhere, use the https port.")
        case .bodyTooLarge:
            Meaning(
                NSURLErrorDataLengthExceedsMaximum, headline: "The response is too large.", kind: .protocolViolation,
                next: "Check that the URL belongs to an authority.")
        // Another attempt doesn't help.
        case .libraryMissing(let package):
            Meaning(
                NSURLErrorUnknown, headline: "The HTTP library can't be used.", kind: .other,
                next: "Install \(package), or correct the library path.")
        case .systemLimit:
            Meaning(
                NSURLErrorUnknown, headline: "A limit of this computer is too low.", kind: .other,
                next: "Then try again.")
        case .cancelled: Meaning(NSURLErrorCancelled, .never, "Can't reach %")
        case .other: Meaning(NSURLErrorUnknown, .later, "Can't reach %")
        }
    }
}

extension TransportFailure {
    package var meaning: Kind.Meaning { kind.meaning }

    package var mayHaveResponse: Bool { kind == .bodyTooLarge || kind == .other }

    var urlError: NSError { NSError(domain: NSURLErrorDomain, code: meaning.code) }

    package func sentence(host: String) -> String {
        meaning.outcome.map { "\($0.replacing("%", with: host)): \(reasonSentence)" } ?? reasonSentence
    }

    /// The reason, with a full stop unless it already ends with punctuation.
    package var reasonSentence: String { [".", "!", "?"].contains(where: reason.hasSuffix) ? reason : reason + "." }

    func headline(host: String) -> String {
        if let headline = meaning.headline { return headline }
        guard let outcome = meaning.outcome else { return reasonSentence.beginning(58) }
        return outcome.replacing("%", with: host.beginning(57 - outcome.count)) + "."
    }

    package static let clockRemedy = "Synchronise the clock: timedatectl set-ntp true."

    /// Whether the certificate isn't valid at the time of this computer's clock, which can be what is wrong.
    var isOfDate: Bool {
        kind == .untrustedCertificate && ["not yet valid", "expired"].contains(where: reason.contains)
    }

    package var nextStep: String {
        if isOfDate {
            return
                "Check this computer's clock. \(Self.clockRemedy) If it is right, ask the server's operator for a valid certificate."
        }
        return kind == .untrustedCertificate && reason.contains("does not match")
            ? "Check the URL's host." : meaning.nextStep
    }
}
