import TestSupport
import Testing

@Suite struct LineDifferenceTests {
    @Test(
        "Changed lines stand out among unchanged ones",
        arguments: [
            ("same", "a\nb", "a\nb", "  a\n  b"), ("changed", "a\nb\nc", "a\nx\nc", "  a\n- b\n+ x\n  c"),
            ("added at the end", "a", "a\nb", "  a\n+ b"), ("removed", "a\nb", "b", "- a\n  b"),
        ])
    func difference(name: String, old: String, new: String, expected: String) {
        #expect(LineDifference(from: old, to: new).text == expected)
    }
}
