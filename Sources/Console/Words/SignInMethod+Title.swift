extension SignInMethod {
    /// The method as a phrase after "sign in".
    var inWords: String {
        switch self {
        case .browser: "with the browser"
        case .paste: "by pasting the address"
        case .device: "with a code on another device"
        case .broker: "with the identity broker"
        }
    }

    /// The method as the object of a sentence.
    var asObject: String {
        switch self {
        case .browser: "the browser"
        case .paste: "another browser"
        case .device: "a device code"
        case .broker: "the identity broker"
        }
    }

    /// The method's label in a list.
    var title: String {
        switch self {
        case .browser: "Browser"
        case .paste: "Paste"
        case .device: "Code"
        case .broker: "Broker"
        }
    }
}
