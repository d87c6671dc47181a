import Diagnosis

/// The explanation of evidence, and the name of its file; nil for a text.
package struct Explained: Sendable, Equatable {
    package var name: String?
    package var explanation: Explanation

    package init(name: String?, explanation: Explanation) {
        self.name = name
        self.explanation = explanation
    }
}
