import Foundation
import TerminalUI
import Testing

@Suite("Recordings")
struct RecordingTests {
    private static func svg(_ write: (inout Surface) -> Void, frames: Int = 1) -> String {
        var recording = Recording(title: "A & B")
        for number in 0..<frames {
            var surface = Surface(size: Size(width: 40, height: 4))
            write(&surface)
            surface.write("\(number)", at: Point(x: 0, y: 3))
            recording.add(surface, seconds: 1.25)
        }
        return recording.text(.svg)
    }

    /// librsvg joins spaces and ignores `textLength`, so that a text with several words would be narrower there.
    @Test("Each word and each letter outside ASCII is at its own column")
    func words() {
        let text = Self.svg { surface in
            surface.write("a  few words, 王小明 ü!", at: Point(x: 2, y: 0))
            surface.write("under line", at: Point(x: 0, y: 1), style: Style(.text, .underline))
        }
        let places = text.matches(of: #/<text x="([\d.]+)"[^>]*>([^<]*)</#).map { (Double($0.output.1), $0.output.2) }
        let expected: [(Int, String)] = [
            (2, "a"), (5, "few"), (9, "words,"), (16, "王"), (18, "小"), (20, "明"), (23, "ü"), (24, "!"), (0, "under"),
            (6, "line"), (0, "0"),
        ]
        #expect(places.map { String($0.1) } == expected.map(\.1))
        for (place, column) in zip(places, expected.map(\.0)) {
            #expect(abs((place.0 ?? 0) - Double(column) * 8.4) < 0.01, "\(place)")
        }
        #expect(!text.contains("white-space") && !text.contains("text-decoration"))
    }

    /// Fonts leave gaps between them, or lack them.
    @Test("Lines, blocks and bars are shapes instead of letters")
    func shapes() {
        let drawn = "─│┌┐└┘├┤╌█▀▄"
        let text = Self.svg { $0.write(drawn, at: Point(x: 0, y: 0)) }
        #expect(!text.contains { drawn.contains($0) })
        #expect(text.ranges(of: "<rect").count > drawn.count)
    }

    @Test("Without motion the last picture is shown, and motion begins with the first")
    func motion() {
        let text = Self.svg({ _ in }, frames: 3)
        #expect(text.contains(#"<g class="strip" transform="translate(-720 0)">"#))
        #expect(text.contains("@keyframes play{0%{transform:translateX(0px)}"))
        #expect(text.contains("animation:play 3.750s steps(1,end) infinite"))
        #expect(!Self.svg { _ in }.contains("@keyframes"))
    }

    @Test("Equal pictures are one, and the length counts them")
    func length() {
        var recording = Recording(title: "")
        let surface = Surface(size: Size(width: 40, height: 4))
        for _ in 0..<3 { recording.add(surface, seconds: 0.4) }
        #expect(recording.length == (1, 1))
    }
}
