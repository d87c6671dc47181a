extension SignInWay {
    /// As the end of a sentence.
    var inWords: String {
        switch self {
        case .browser: "with the browser"
        case .paste: "by an address to paste"
        case .device: "with a code on another device"
        case .broker: "with the identity broker"
        }
    }

    /// What a sign-in goes on with.
    var asObject: String {
        switch self {
        case .browser: "the browser"
        case .paste: "a browser elsewhere"
        case .device: "a code for another device"
        case .broker: "the identity broker"
        }
    }

    /// How a list calls it.
    var title: String {
        switch self {
        case .browser: "Browser"
        case .paste: "Paste"
        case .device: "Code"
        case .broker: "Broker"
        }
    }
}
