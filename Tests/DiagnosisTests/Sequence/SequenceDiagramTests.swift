import Foundation
import MSAL
import Testing

@testable import Diagnosis

@Suite("Sequence diagrams")
struct SequenceDiagramTests {
    private typealias Arrow = SequenceDiagram.Arrow

    private static let hostile = [
        "end", "END;", "x #quot; y; loop z", "wrap: text", "%date() \\n !include /etc/passwd", "<b>&amp;\"' %%{init}%%",
        "//i// __u__ --s-- ~~w~~", "a\u{1B}[31mb\u{202E}c\nend\n@enduml", "王 [[http:x]] $end",
        "`code` | **b** _i_ <img>",
        "\u{FFFE}\u{FFFF}",
    ]

    private static let diagram = SequenceDiagram(
        title: "end; <b>",
        arrows: hostile.map { Arrow(.application, .authority, $0, outcome: .rejected, notes: [$0]) }
            + [Arrow(.application, .application, "verify"), Arrow(.application, .cache, "save")])

    @Test("Only lifelines with an arrow are shown, from left to right")
    func parties() {
        #expect(Self.diagram.parties == [.application, .authority, .cache])
        #expect(Self.diagram.prefix(1).parties == [.application, .authority])
    }

    @Test("Texts are on one line, without control characters")
    func oneLine() {
        for arrow in Self.diagram.arrows {
            for text in [arrow.label, arrow.text, arrow.sentence] + arrow.notes {
                #expect(!text.contains { $0.isNewline } && !text.hasControlCharacter && !text.contains("\u{202E}"))
            }
        }
    }

    @Test("An API's challenge is an arrow of the API, with what it asks for")
    func challenge() {
        func exchange(_ status: Int, _ header: String?) -> MSALFlowExchange {
            MSALFlowExchange(
                number: 1, direction: .resource, correlationId: UUID(), startDate: Date(timeIntervalSince1970: 0),
                address: "https://api.example/a/b", status: status,
                parameters: header.map {
                    [MSALFlowParameter(name: "WWW-Authenticate", place: .responseHeader, value: $0)]
                } ?? [])
        }
        let header = #"Bearer error="insufficient_scope", scope="Mail.Read", max_age=5"#
        let arrows = [exchange(403, header), exchange(401, "Bearer"), exchange(200, nil)].flatMap(Arrow.arrows(of:))
        #expect(arrows.map(\.from) == [.application, .api, .application, .api, .application, .api])
        #expect(arrows.map(\.label).prefix(2) == ["GET /a/b", "403 insufficient_scope"])
        #expect(arrows[1].notes == ["API challenge: insufficient_scope, scope Mail.Read, max_age 5"])
        #expect(arrows[3].label == "401 token required" && arrows[5].outcome == .responded)
    }

    @Test("An own exchange and a recorded one have the same arrows, with what each may show")
    func ownAndRecorded() {
        func parameter(_ name: String, _ place: MSALFlowParameter.Place, _ value: String) -> MSALFlowParameter {
            MSALFlowParameter(name: name, place: place, value: value)
        }
        let own = MSALFlowExchange(
            number: 3, direction: .backChannel, correlationId: UUID(), startDate: Date(timeIntervalSince1970: 0),
            method: "POST", address: "https://id.example/a/token", status: 400,
            parameters: [
                parameter("grant_type", .requestBody, "authorization_code"),
                parameter("error", .responseBody, "invalid_grant"),
                parameter("error_description", .responseBody, "No."),
            ])
        let arrows = Arrow.arrows(of: own)
        let recorded = SequenceDiagram(Evidence([Exchange(own)])).arrows
        #expect(arrows.map(\.from) == recorded.map(\.from) && arrows.map(\.outcome) == recorded.map(\.outcome))
        #expect(
            arrows.map(\.text) == ["Token request (code): POST https://id.example/a/token", "HTTP 400, invalid_grant"])
        #expect(recorded.map(\.text) == ["Token request (entry 3): POST id.example", "HTTP 400, invalid_grant"])
        #expect(arrows.last?.notes == ["No."] && recorded.last?.notes == [])
    }

    @Test("A response with an error is rejected, whatever its status")
    func errorWithSuccess() {
        let exchange = MSALFlowExchange(
            number: 1, direction: .backChannel, correlationId: UUID(), startDate: Date(timeIntervalSince1970: 0),
            method: "POST", address: "https://id.example/token", status: 200,
            parameters: [
                MSALFlowParameter(name: "grant_type", place: .requestBody, value: "refresh_token"),
                MSALFlowParameter(name: "error", place: .responseBody, value: "bad_refresh_token"),
            ])
        #expect(Arrow.arrows(of: exchange).last?.outcome == .rejected)
        #expect(Arrow.arrows(of: exchange).last?.label == "200 bad_refresh_token")
    }

    /// A grammar of the lines that a diagram contains.
    @Test("Mermaid consists of known statements with harmless texts")
    func mermaid() {
        let text = #/[^\x00-\x1F;#{}<>"`:$%&\\|*~@!\[\]]|#[0-9]+;/#
        let statements: [Regex<AnyRegexOutput>] = [
            Regex(#/sequenceDiagram/#), Regex(#/    autonumber/#), Regex(#/    title .+/#),
            Regex(#/    participant \w+ as [\w ]+/#), Regex(#/    \w+(->>|-->>|--x)\w+: .+/#),
            Regex(#/    Note over \w+(,\w+)?: .+/#),
        ]
        for line in Self.diagram.text(.mermaid).split(separator: "\n").map(String.init) {
            #expect(statements.contains { line.wholeMatch(of: $0) != nil }, "\(line)")
            let label = line.split(separator: ": ", maxSplits: 1).dropFirst().joined()
            #expect(label.matches(of: text).map { String(label[$0.range]) }.joined() == label, "\(line)")
            #expect(!label.lowercased().split(separator: " ").contains("end"))
        }
    }

    @Test("SVG is well-formed and loads nothing")
    func svg() throws {
        let text = Self.diagram.text(.svg)
        #expect(text.contains("prefers-color-scheme: dark"))
        #expect(!text.contains("<script") && !text.contains("href") && !text.contains("url("))
        let elements = text.matches(of: #/<(/?)(\w+)[^<>]*?(/?)>/#)
        var open: [Substring] = []
        for element in elements {
            if element.output.3 == "/" { continue }
            if element.output.1 == "/" {
                #expect(open.popLast() == element.output.2)
            } else {
                open.append(element.output.2)
            }
        }
        #expect(open.isEmpty)
        let texts = text.replacing(#/<[^<>]*>/#, with: "")
        #expect(!texts.contains("<") && !texts.contains(">"))
        #expect(texts.replacing(#/&(amp|lt|gt|quot);/#, with: "").contains("&") == false)
    }

    @Test("SVG cuts no text, and the lifelines are as far apart as their labels need", arguments: [5, 60, 400])
    func uncut(words: Int) throws {
        let label = (0..<words).map { "word\($0)" }.joined(separator: " ") + String(repeating: "y", count: words)
        let diagram = SequenceDiagram(
            title: label,
            arrows: [
                Arrow(.application, .browser, label, notes: [label]), Arrow(.browser, .browser, label),
                Arrow(.application, .cache, "short"),
            ])
        let text = diagram.text(.svg)
        #expect(!text.contains("…"))
        let shown = text.matches(of: #/<text x="(\d+)"[^>]*?(middle)?"[^>]*>([^<]*)</#)
        let all = shown.map { $0.output.3 }.joined().filter { $0 != " " }
        // The title, the label of both arrows, and the note.
        #expect(all.ranges(of: label.filter { $0 != " " }).count == 4)
        let width = try #require(text.firstMatch(of: #/viewBox="0 0 (\d+)/#).flatMap { Int($0.output.1) })
        for match in shown where match.output.2 == nil {
            let start = try #require(Int(match.output.1))
            #expect(start + match.output.3.count * 8 <= width)
        }
        let lanes = text.matches(of: #/<line x1="(\d+)" y1="80"/#).compactMap { Int($0.output.1) }
        let longest = shown.filter { $0.output.2 != nil }.map(\.output.3.count).max() ?? 0
        #expect(lanes[1] - lanes[0] >= longest * 8)
    }

    @Test("Markdown escapes texts and fences the diagram once")
    func markdown() {
        let text = Self.diagram.text(.markdown)
        #expect(text.ranges(of: "```").count == 2)
        #expect(text.ranges(of: "<").count == text.ranges(of: "\\<").count, "no HTML")
    }

    @Test("Repeated polls become one pair with a count")
    func polling() {
        let poll = [
            Arrow(.application, .authority, "token (device)", exchange: 3),
            Arrow(.authority, .application, "400 pending", outcome: .rejected, exchange: 3, message: .response),
        ]
        let end = [
            Arrow(.application, .authority, "token (device)", exchange: 6),
            Arrow(.authority, .application, "200 tokens", outcome: .responded, exchange: 6, message: .response),
        ]
        let diagram = SequenceDiagram(title: "", arrows: poll + poll + poll + end)
        #expect(
            diagram.arrows.map(\.countedLabel)
                == ["token (device) (3 times)", "400 pending (3 times)", "token (device)", "200 tokens"])
        #expect(diagram.sentences.first == "1. Application to Authority: token (device) (3 times).")
    }

    @Test("Several flows in one diagram have headings")
    func joined() {
        let flow = SequenceDiagram(
            title: "Sign in; end", arrows: [Arrow(.application, .authority, "token", exchange: 4)])
        let joined = SequenceDiagram(title: "Walk", joining: [flow, flow])
        #expect(joined.arrows.map(\.heading) == ["Sign in; end", "Sign in; end"])
        #expect(joined.arrows.allSatisfy { $0.exchange == nil }, "numbers count within a flow")
        #expect(joined.text(.mermaid).contains("Note over App,Authority: Sign in#59; #101;#110;#100;"))
    }

    @Test("A page shows what the user does, never the password")
    func page() {
        let visit = PageVisit(
            date: .distantPast, title: "Permissions requested",
            fields: [
                .init(.text, label: "Username", value: "wang@contoso.example"),
                .init(.password, label: "Password", value: "••••"),
                .init(.checkbox(isTicked: false), label: "Mail.Read"),
            ], buttons: ["Accept"], pressed: "Accept")
        let diagram = SequenceDiagram(title: "", arrows: Arrow.arrows(of: visit, at: 0))
        #expect(
            diagram.sentences == [
                "1. Authority to Browser: Page \"Permissions requested\".",
                "2. Browser to Authority: Enter wang@contoso.example, enter the password, untick \"Mail.Read\", press Accept.",
            ])
        #expect(diagram.arrows.map(\.page) == [0, 0])
        let consent = PageVisit(
            date: .distantPast, title: "Permissions requested",
            fields: [
                .init(.checkbox(isTicked: true), label: "User.Read"),
                .init(.checkbox(isTicked: false), label: "Mail.Read"),
            ], buttons: ["Accept"], pressed: "Accept")
        #expect(
            Arrow.arrows(of: consent, at: 0).map(\.label)
                == ["Permissions requested", "untick Mail.Read, Accept"])
    }
}
