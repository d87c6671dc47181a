import Foundation
import MSAL
import Testing

/// The notifications about a sign-in page that a program can observe.
@Suite("Notifications") struct NotificationCenterNoticesTests {
    @Test("Each notice is posted under its name, with its URL") func posted() async throws {
        // A separate URL, because the whole process shares the notification center.
        let url = try #require(URL(string: "https://notices.example/\(UUID().uuidString)"))
        let seen = AsyncStream<String>.makeStream()
        let observers = [MSALWebAuthDidStartLoadNotification, MSALWebAuthDidCompleteNotification].compactMap(\.self)
            .map { name in
                NotificationCenter.default.addObserver(
                    forName: Notification.Name(name), object: nil, queue: nil
                ) { notification in
                    guard notification.userInfo?["url"] as? URL == url else { return }
                    seen.continuation.yield(notification.name.rawValue)
                }
            }
        defer { observers.forEach { NotificationCenter.default.removeObserver($0) } }
        NotificationCenterNotices().post(.didStartLoad(url))
        NotificationCenterNotices().post(.didComplete(url))
        var names = seen.stream.makeAsyncIterator()
        #expect(await names.next() == "MSALWebAuthDidStartLoadNotification")
        #expect(await names.next() == "MSALWebAuthDidCompleteNotification")
    }
}
