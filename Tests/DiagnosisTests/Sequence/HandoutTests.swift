import Foundation
import KeyturnCrypto
import MSAL
import TestSupport
import Testing

@testable import Diagnosis

@Suite("Handouts")
struct HandoutTests {
    /// Texts of a server that try to become markup, script, style or another text.
    private static let hostile = [
        "<script>alert(1)</script>", "</script><script>alert(1)</script>", "</style><style>*{display:none}",
        "\" onmouseover=\"alert(1)", "' autofocus onfocus='alert(1)", "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>", "</svg><iframe src=https://evil.example>", "</title><base href=https://evil.example/>",
        "javascript:alert(1)", "<a href=javascript:alert(1)>x</a>",
        "<meta http-equiv=refresh content=0;url=//evil.example>",
        "<!--", "-->", "]]>", "&lt;script&gt;", "<link rel=stylesheet href=//evil.example>",
        "<form action=//evil.example>",
        "\u{202E}txt.exe\u{202C}", "\u{2066}a\u{2069}\u{200F}", "a\u{1B}[31mb\u{0}c\u{9B}1m", "line\nbreak\u{2028}end",
    ]

    /// A handout in which each text is hostile.
    private static func handout(_ text: String) -> Handout {
        let arrow = SequenceDiagram.Arrow(
            .application, .authority, text, text: text, outcome: .rejected, notes: [text], exchange: 1)
        let page = PageVisit(
            title: text, alert: text, text: [text],
            fields: [.init(.text, label: text, value: text), .init(.checkbox(isTicked: true), label: text)],
            buttons: [text], pressed: text)
        let row = Explanation.Row(text, text, meaning: text, source: text)
        return Handout(
            title: text, story: [text],
            steps: [
                Handout.Step(
                    SequenceDiagram(title: text, arrows: [arrow, arrow]), outcome: [Handout.Line(text, isGood: false)]
                ) { _, _ in Handout.Detail([row], page: page, cause: text) }
            ], ending: Handout.Ending(text, [text]))
    }

    /// The tags of a page without those of a style sheet and a script, which are constant.
    private static func tags(_ page: String) -> [String] { page.matches(of: /<[^>]*>/).map { String($0.output) } }

    @Test("A server's text is never markup, in any place", arguments: Self.hostile)
    func attack(text: String) throws {
        let page = Self.handout(text).text(.html)
        let calm = Self.handout("x").text(.html)
        // The same tags with the same attributes, but for the sizes in the picture.
        func shape(_ page: String) -> [String] {
            Self.tags(page).map { $0.replacing(#/ (?:x|y|x1|y1|x2|y2|d|width|height|viewBox)="[^"]*"/#, with: "") }
                .filter { !$0.hasPrefix("<text") && !$0.hasPrefix("</text") }
        }
        #expect(shape(page) == shape(calm))
        let hidden: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
        #expect(!page.unicodeScalars.contains { $0 != "\n" && hidden.contains($0.properties.generalCategory) })
    }

    @Test("The policy allows the file's own style sheet and script, and nothing else")
    func policy() throws {
        let page = Self.handout("x").text(.html)
        let policy = try #require(page.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)?.output.1)
        for (name, content) in [
            ("style", page.firstMatch(of: /<style>([^<]*)<\/style>/)?.output.1),
            ("script", page.firstMatch(of: /<script>((?:[^<]|<(?!\/script))*)<\/script>/)?.output.1),
        ] {
            let hash = Data(SHA2.sha256(Array(try #require(content).utf8))).base64EncodedString()
            #expect(policy.contains("\(name)-src &#39;sha256-\(hash)&#39;"))
        }
        #expect(policy.hasPrefix("default-src &#39;none&#39;") && !policy.contains("unsafe"))
        // No attribute loads, sends, runs or styles anything. (The name of SVG's namespace isn't loaded.)
        let attributes = Self.tags(page).joined().matches(of: #/ ([a-zA-Z-]+)=/#).map { String($0.output.1) }
        #expect(Set(attributes).isDisjoint(with: ["src", "href", "action", "style", "srcset", "data", "poster"]))
        #expect(!attributes.contains { $0.hasPrefix("on") })
        #expect(!page.replacing("http://www.w3.org/2000/svg", with: "").contains("://"))
    }

    @Test("Each heading and label that an element refers to exists once")
    func references() {
        let page = Self.handout("x").text(.html)
        let ids = page.matches(of: #/ id="([^"]*)"/#).map { String($0.output.1) }
        #expect(Set(ids).count == ids.count)
        for reference in page.matches(of: #/ aria-labelledby="([^"]*)"/#) {
            #expect(ids.contains(String(reference.output.1)))
        }
        let parts = page.matches(of: /<article class="part" id="part([0-9]+)"/).map { Int($0.output.1) }
        #expect(parts == Array(0..<5))
        #expect(page.matches(of: /data-part="([0-9]+)"/).map { Int($0.output.1) } == [1, 2])
    }

    @Test("The page is as recorded")
    func golden() throws {
        let page = Self.case.text(.html)
        // The style sheet and the script are files of their own, and the policy follows from them.
        let shown = page.replacing(/<style>[^<]*<\/style>/, with: "<style></style>")
            .replacing(/<script>(?:[^<]|<(?!\/script))*<\/script>/, with: "<script></script>")
            .replacing(/sha256-[A-Za-z0-9+\/]{43}=/, with: "sha256-")
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "handout.html")
        let golden = GoldenScreen(file: file)
        if GoldenScreen.isRecording {
            try golden.record(shown)
            Issue.record("Recorded. Review the page, then run the tests again.")
        }
        #expect(try golden.difference(from: shown) == nil)
    }

    /// The handout of a recorded failure, from its copy, with a page.
    private static var `case`: Handout {
        let page = PageVisit(
            title: "Sign in", text: ["to continue to Ledger"],
            fields: [
                .init(.text, label: "Username", value: "ann@contoso.example", isPrefilled: true),
                .init(.password, label: "Password", value: "••••••••"),
                .init(.checkbox(isTicked: false), label: "Stay signed in"),
            ], buttons: ["Cancel", "Sign in"], pressed: "Sign in")
        let arrows = [
            SequenceDiagram.Arrow(.browser, .authority, "authorize", text: "Authorization request: GET login.example"),
            .init(
                .authority, .browser, "Sign in", text: "Page \"Sign in\"", outcome: .responded, message: .response,
                page: 0),
            .init(.authority, .application, "400 invalid_grant", outcome: .rejected, notes: ["The code has expired."]),
            .init(.application, .application, "verify ID token"),
        ]
        let rows = [
            Explanation.Row("client_id", "ledger", meaning: "The application.", source: "RFC 6749 §2.2"),
            Explanation.Row("state", "hidden, 43 characters"),
        ]
        return Handout(
            title: "Plain sign-in", story: ["Ann signs in."],
            steps: [
                Handout.Step(
                    SequenceDiagram(title: "Sign in as Ann", arrows: arrows),
                    outcome: [
                        .init("New tokens.", isGood: true), .init("Rejected.", isGood: false),
                        .init("Look at the code."),
                    ]
                ) { index, arrow in
                    .init(
                        index == 0 ? rows : [], page: arrow.page == nil ? nil : page,
                        cause: index == 2 ? "The code has expired." : nil)
                },
                Handout.Step(SequenceDiagram(title: "Wait a minute", arrows: []), outcome: [.init("Done waiting.")]),
            ], ending: .init("Lesson", ["Codes live for a minute."]))
    }

    @Test("The details of an own step, which can name the account, are no part of a shareable diagram")
    func shareable() {
        let diagram = SequenceDiagram(
            title: "Sign in as ann@contoso.example",
            arrows: [
                .init(.application, .cache, "save tokens", text: "Saved for ann@contoso.example"),
                .init(.application, .authority, "token", text: "Token request", exchange: 1),
                .init(.browser, .authority, "password", text: "Enter ann@contoso.example, press Sign in", page: 0),
            ])
        let shown = diagram.shareable(title: "Messages")
        #expect(shown.title == "Messages" && shown.arrows.map(\.text) == ["save tokens", "Token request", "password"])
        #expect(shown.arrows.allSatisfy { $0.page == nil })
    }

    @Test("A case's handout has its cause at the message that shows it, and the answer at the end")
    func explained() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../Explanation/Evidence/redirect_uri_case.har")
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>"
        let explainer = try Explainer(
            clientID: "", infoPlist: Array(plist.utf8), now: Date(timeIntervalSince1970: 1_800_000_000))
        let copy = try #require(try explainer.examine(file: Array(Data(contentsOf: file)), copies: true).copy?.copied)
        let handout = try #require(copy.handout)
        let causes = handout.steps.flatMap(\.details).compactMap(\.cause)
        #expect(causes == [copy.firstProblem?.fact].compactMap(\.self) && handout.title == causes.first)
        #expect(handout.ending?.lines.first?.hasPrefix("What happened: ") == true)
        #expect(explainer.explain("invalid_grant")?.handout == nil)
    }
}
