/// One sentence for the person. It stays until the next key, so that nobody has to read against the clock.
package struct Notice: Sendable, Equatable {
    package enum Severity: Sendable, Equatable { case quiet, success, warning }

    package var severity: Severity
    package var text: String

    package init(_ severity: Severity, _ text: String) {
        self.severity = severity
        self.text = text
    }
}
