import Foundation

/// Notifies the program of the progress of an interactive sign-in.
package protocol WebAuthNotices: Sendable {
    func post(_ notice: WebAuthNotice)
}

/// A progress notification. URLs never contain a code.
package enum WebAuthNotice: Sendable, Equatable {
    case didStartLoad(URL)
    case didFinishLoad(URL)
    case didComplete(URL)
    case didFail(MSALAuthenticationError)

    package var name: String {
        switch self {
        case .didStartLoad: MSALWebAuthDidStartLoadNotification
        case .didFinishLoad: MSALWebAuthDidFinishLoadNotification
        case .didComplete: MSALWebAuthDidCompleteNotification
        case .didFail: MSALWebAuthDidFailNotification
        }
    }

    package var userInfo: [String: Any] {
        switch self {
        case .didStartLoad(let url), .didFinishLoad(let url), .didComplete(let url): ["url": url]
        case .didFail(let error): ["error": error]
        }
    }
}
