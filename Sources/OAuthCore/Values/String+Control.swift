extension String {
    /// Whether it is made of printing ASCII characters without spaces.
    package var isVisibleASCII: Bool { utf8.allSatisfy { (0x21...0x7E).contains($0) } }

    /// Whether a C0 or C1 control character or DEL is in it. Nothing that identifies may hold one: not every reader of a
    /// key sees all of it then, and no person does.
    package var hasControlCharacter: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Without control characters and without the marks that turn the direction of text: what a server says, on its way
    /// into a sentence that any program may print.
    package var withoutControls: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.filter {
                    ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
                }))
    }
}
