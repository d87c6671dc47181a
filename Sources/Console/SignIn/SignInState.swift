import AuthEngine
import TerminalUI

/// A sign-in that is running.
package struct SignInState: Sendable, Equatable {
    package var id: EffectID
    /// The account it is for, when one has to sign in again.
    package var account: AccountSummary?
    package let request: SignInRequest
    package var progress: FlowProgress
    /// The code to enter on another device, once the authority gave one.
    package var deviceCode: ShownDeviceCode?
    /// The page's address as a picture, for the ways that open it elsewhere.
    package var pagePicture: QRCode?
    /// What was typed so far of the address that a browser ended on; nil while nothing is being typed.
    package var pasted: String?

    package init(id: EffectID, account: AccountSummary? = nil, request: SignInRequest) {
        self.id = id
        self.account = account
        self.request = request
        progress =
            switch request.way {
            case .device: .deviceCode
            case .broker: .broker
            case .browser, .paste: .interactive
            }
    }

    package var way: SignInWay { request.way }

    /// Whether an answer from a browser elsewhere would be of use now.
    package var takesPastes: Bool { way != .device && progress.authorizationURL != nil }
}

/// A device code, and its address as a picture where one can be made.
package struct ShownDeviceCode: Sendable, Equatable {
    package var code: MSALDeviceCode
    package var picture: QRCode?

    package init(_ code: MSALDeviceCode, picture: QRCode?) {
        self.code = code
        self.picture = picture
    }
}

/// A silent acquisition that is running.
package struct SilentState: Sendable, Equatable {
    package var id: EffectID
    package var account: AccountSummary
    package var progress = FlowProgress.silent

    package init(id: EffectID, account: AccountSummary) {
        self.id = id
        self.account = account
    }
}
