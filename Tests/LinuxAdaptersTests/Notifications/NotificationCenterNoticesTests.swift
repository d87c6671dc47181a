import AuthEngine
import Foundation
import LinuxAdapters
import Testing

/// What a program that observes the notification center sees of a sign-in page.
@Suite("Notifications") struct NotificationCenterNoticesTests {
    @Test("Each notice is a notification of its name, with its address") func posted() async throws {
        // An address of its own, because the center belongs to the whole process.
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
