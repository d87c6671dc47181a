import TerminalUI
import TestSupport
import Testing

@Suite struct MemoryScreenTests {
    @Test("Scripted input arrives in order and ends when the screen closes")
    func script() async {
        let screen = MemoryScreen(size: Size(width: 10, height: 2), script: [.key(.down), .paste("x")])
        screen.send(.resize(Size(width: 20, height: 4)))
        screen.close()
        var seen: [InputEvent] = []
        for await event in screen.input { seen.append(event) }
        #expect(seen == [.key(.down), .paste("x"), .resize(Size(width: 20, height: 4))])
        #expect(screen.size == Size(width: 20, height: 4))
    }

    @Test("A test can wait for a frame, shown before or after the call, and gets nil when the screen closes")
    func waiting() async {
        let screen = MemoryScreen(size: Size(width: 10, height: 1))
        async let later = screen.surface { $0.text == "second" }
        for text in ["first", "second"] {
            var surface = Surface(size: screen.size)
            surface.write(text, at: .zero)
            screen.show(surface)
        }
        #expect(await later?.text == "second")
        #expect(await screen.surface { $0.text == "second" } != nil)
        screen.close()
        #expect(await screen.surface { $0.text == "third" } == nil)
    }
}
