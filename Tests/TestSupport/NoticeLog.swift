import KeyturnSystem
import MSAL

/// The notifications about the sign-in page, in order.
package final class NoticeLog: WebAuthNotices {
    private let notices = Locked<[WebAuthNotice]>([])

    package init() {}

    package var all: [WebAuthNotice] { notices.withLock { $0 } }

    package func post(_ notice: WebAuthNotice) { notices.withLock { $0.append(notice) } }
}
