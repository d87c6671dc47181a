import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import Console

/// The pictures of the documents show what the tests check: a golden screen in a theme, drawn as `--record` draws it.
@Suite("The documents' pictures")
struct DocumentPictureTests {
    private static let docs = URL(fileURLWithPath: #filePath).appending(path: "../../../docs").standardizedFileURL

    struct Picture: CustomTestStringConvertible {
        let testDescription: String
        let title: String
        let surface: Surface
        let theme: ScreenTheme

        /// - Returns: nil if the picture isn't one of a golden screen: the program records a scenario.
        init?(_ file: String, title: String) {
            let themes = [ScreenTheme.contrast, .mono]
            theme = themes.first { file.hasSuffix("-\($0.rawValue)") } ?? .standard
            let name = theme == .standard ? file : String(file.dropLast(theme.rawValue.count + 1))
            guard let shown = shownScreens[name]?.first else { return nil }
            (testDescription, self.title, surface) = (file, title, shown)
        }
    }

    /// The pictures that docs/screens.md links.
    private static let linked: [(file: String, title: String)] = {
        let text = (try? String(contentsOf: docs.appending(path: "screens.md"), encoding: .utf8)) ?? ""
        return text.matches(of: /!\[(.*)\]\(screens\/(.*)\.svg\)/).map { (String($0.output.2), String($0.output.1)) }
    }()

    private static let pictures = linked.compactMap { Picture($0.file, title: $0.title) }

    @Test("Each shows its golden screen", arguments: pictures)
    func drawn(picture: Picture) {
        var recording = Recording(title: picture.title, theme: picture.theme)
        recording.add(picture.surface, seconds: 1)
        expectGolden(
            recording.text(.svg), in: Self.docs.appending(path: "screens/\(picture.testDescription).svg"))
    }

    @Test("Each is in a document, and each link leads to a picture")
    func files() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.docs.appending(path: "screens").path)
        // The guides show sequence diagrams.
        let shown = Set(files.filter { !$0.hasPrefix("flow-") })
        #expect(shown == Set(Self.linked.map { "\($0.file).svg" }))
        #expect(Self.pictures.count > 10)
    }
}
