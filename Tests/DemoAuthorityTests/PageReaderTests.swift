import OAuthCore
import Testing

@testable import DemoAuthority

@Suite("The scripted user's page reader")
struct PageReaderTests {
    @Test("Reads forms with their inputs, in any notation")
    func forms() {
        let page = PageReader(
            """
            <!-- <form action="no"> --><TITLE>A &amp; B</TITLE>
            <form method=POST action='/go?a=1&amp;b=2'><input name=user><input type="hidden" name="t" value="&quot;&#39;&#x41;&lt;">
            <input type=checkbox name=c value=1 checked/><input type=checkbox name=d value=2>
            <input type=checkbox name=e value=3 checked disabled>
            <button name="go" value="yes">Go</button></form>
            <form action="/search"><input type=submit value=Find></form>
            """)
        #expect(page.title == "A & B")
        #expect(page.forms.count == 2)
        #expect(page.forms[0].action == "/go?a=1&b=2")
        #expect(page.forms[0].method == "post")
        #expect(page.forms[0].inputs.map(\.name) == ["user", "t", "c", "go"])
        #expect(page.forms[0].inputs.map(\.value) == ["", "\"'A<", "1", "yes"])
        #expect(page.forms[1].method == "get")
    }

    @Test("The message is the marked element")
    func alert() {
        let page = PageReader("<p role=alert>No: <b>wrong</b> password</p><p>other</p>")
        #expect(page.alert == "No: wrong password")
    }

    @Test(
        "Invalid markup ends reading",
        arguments: [
            "<", "<form", "<form action", "<form action=", "<form action='x", "<!--", "<input =", "</", "<a b='\">",
            "&#xFFFFFFFF;<p>&#0;", "<title>",
            "<input name=\"a\" = = =>", "<>", "< form>",
        ])
    func broken(markup: String) {
        #expect(PageReader(markup).forms.count <= 1)
    }

    @Test(
        "Reads escaped markup back",
        arguments: ["a<b>&\"'", "王小明", "Zoe\u{308}", "line\nbreak", "\u{308}begins with a mark", "&\u{301};", "-->"])
    func roundTrip(text: String) {
        let markup: HTML = "<form><input name=\"\(text)\" value='\(text)'></form>"
        let input = PageReader(markup.markup).forms.first?.inputs.first
        #expect(input?.name == text)
        #expect(input?.value == text)
    }
}
