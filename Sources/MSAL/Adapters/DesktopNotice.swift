import CDesktop

/// Notices on the user's desktop (Desktop Notifications Specification, section 10).
package enum DesktopNotice {
    private static let milliseconds: Int32 = 5_000

    /// Shows a notice until the user closes it. Waits 5 seconds at most. Returns `false` if no desktop has shown it.
    ///
    /// - Parameter environment: the variables that locate the session bus.
    package static func show(_ title: String, _ text: String, in environment: [String: String]) -> Bool {
        guard let bus = DBusBroker.address(in: environment), let limit = keyturn_limit_start(milliseconds) else {
            return false
        }
        defer { keyturn_limit_end(limit) }
        // Some desktops read it as markup.
        let markup = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        return DBusBroker.explained { keyturn_bus_notify(bus, title, markup, limit, $0) }.code == KEYTURN_BUS_DONE
    }
}
