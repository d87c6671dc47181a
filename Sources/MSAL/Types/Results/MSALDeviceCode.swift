import Foundation

/// The code that the user enters on another device (RFC 8628). Not in MSAL for iOS and macOS.
///
/// The texts come from the authority; sanitise them before printing. Show the code only to the user and never log it:
/// anyone who has it can complete the sign-in with their own account.
public struct MSALDeviceCode: Sendable, Equatable {
    /// The code to enter.
    public let userCode: String
    /// The page on which to enter the code.
    public let verificationURL: URL
    /// The page with the code filled in, for a QR code. `nil` if the authority provides none.
    public let verificationURLComplete: URL?
    /// The time at which the code expires.
    public let expiresOn: Date
    /// Seconds between two polling requests.
    public let interval: Int
    /// Instructions for the user in one sentence, from the authority or else from this library.
    public let message: String

    /// Creates a code from the values of a device authorization response.
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
