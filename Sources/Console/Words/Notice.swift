/// A sentence in the status line. It stays until the next key press, so that there's time to read it.
package struct Notice: Sendable, Equatable {
    package enum Severity: Sendable, Equatable { case quiet, success, warning }

    package var severity: Severity
    package var text: String

    package init(_ severity: Severity, _ text: String) {
        self.severity = severity
        self.text = text
    }
}
