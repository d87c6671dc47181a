import Foundation

// The parts of UIKit that the documents' handlers name.

final class UIApplication {
    struct OpenURLOptionsKey: Hashable, Sendable {
        private let name: String

        static let sourceApplication = OpenURLOptionsKey(name: "UIApplicationOpenURLOptionsSourceApplicationKey")
    }
}

final class UIScene {
    struct OpenURLOptions {
        var sourceApplication: String?
    }
}

final class UIOpenURLContext: NSObject {
    let url: URL
    let options: UIScene.OpenURLOptions

    init(url: URL, options: UIScene.OpenURLOptions) {
        self.url = url
        self.options = options
    }
}
