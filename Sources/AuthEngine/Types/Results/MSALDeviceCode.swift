import Foundation

/// The code that a person enters on another device to sign in on this one. An addition of this library (RFC 8628).
///
/// All of it is text of the authority: whoever shows it sanitises it. It is worth a sign-in to whoever enters it, so it
/// belongs on the person's screen and in no log.
public struct MSALDeviceCode: Sendable, Equatable {
    /// What the person enters.
    public let userCode: String
    /// The page to enter it on.
    public let verificationURL: URL
    /// The same page with the code filled in: what a picture of the address should hold. Not every authority has one.
    public let verificationURLComplete: URL?
    /// The code is worth nothing from then on.
    public let expiresOn: Date
    /// Seconds between two questions to the authority.
    public let interval: Int
    /// One sentence that tells the person what to do: the authority's own, or this library's.
    public let message: String

    /// As the authority gave it.
    public init(
        userCode: String, verificationURL: URL, verificationURLComplete: URL? = nil, expiresOn: Date, interval: Int,
        message: String
    ) {
        self.userCode = userCode
        self.verificationURL = verificationURL
        self.verificationURLComplete = verificationURLComplete
        self.expiresOn = expiresOn
        self.interval = interval
        self.message = message
    }
}
