/// A text that the person wants elsewhere, and what to call it.
package struct CopiedText: Sendable, Equatable {
    /// In a sentence: "the code".
    package var name: String
    /// The name of the file that takes it where no clipboard does.
    package var fileName: String
    package var text: String

    package init(_ name: String, fileName: String, _ text: String) {
        self.name = name
        self.fileName = fileName
        self.text = text
    }
}
