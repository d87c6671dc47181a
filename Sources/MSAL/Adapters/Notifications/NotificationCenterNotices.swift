import Foundation

/// Posts to `NotificationCenter.default`, as MSAL for iOS and macOS does.
package struct NotificationCenterNotices: WebAuthNotices {
    package init() {}

    package func post(_ notice: WebAuthNotice) {
        NotificationCenter.default.post(name: Notification.Name(notice.name), object: nil, userInfo: notice.userInfo)
    }
}
