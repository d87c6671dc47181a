import CDesktop

/// Notices on the user's desktop (Desktop Notifications Specification, section 10).
package enum DesktopNotice {
    /// Shows a notice until the user closes it. Waits 5 seconds at most. Returns `false` if no desktop has shown it.
    package static func show(_ title: String, _ text: String, in environment: [String: String]) -> Bool {
        guard let bus = DBusBroker.address(in: environment), let limit = keyturn_limit_start(5_000) else {
            return false
        }
        defer { keyturn_limit_end(limit) }
        // Some desktops read it as markup.
        let markup = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        let (code, _) = withReason(KEYTURN_BUS_WHY) { keyturn_bus_notify(bus, title, markup, limit, $0) }
        return code == KEYTURN_BUS_DONE
    }
}
