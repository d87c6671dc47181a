import Console
import TerminalUI
import Testing

@Suite("Update: the claims")
struct ClaimsUpdateTests {
    private func state(_ model: Model) throws -> ClaimsState {
        guard case .claims(let state) = model.routes.last else { throw Unexpected() }
        return state
    }

    @Test(
        "Tabs",
        arguments: [
            ([Key.tab], ClaimsState.Tab.accessToken), ([.tab, .tab], .idToken), ([.backTab], .accessToken),
            ([.character("2")], .accessToken), ([.character("2"), .character("1")], .idToken),
            ([.character("1")], .idToken),
        ])
    func tabs(keys: [Key], tab: ClaimsState.Tab) throws {
        let model = keys.reduce(showingClaims()) { after($0, keys: $1) }
        #expect(try state(model).tab == tab)
    }

    @Test func changingTheTabStartsAtTheTop() throws {
        let model = after(showingClaims(), keys: .down, .down, .character("r"), .down, .tab)
        var expected = ClaimsState(acquisition)
        expected.tab = .accessToken
        #expect(try state(model) == expected)
    }

    @Test func theTabThatIsShownKeepsItsPlace() throws {
        #expect(try state(after(showingClaims(), keys: .down, .character("1"))).selection == 1)
    }

    @Test func theSelectionStaysOnTheRows() throws {
        let rows = ClaimsState(acquisition).rows.count
        #expect(rows == 7 + 20 + 3)
        #expect(try state(after(showingClaims(), keys: .end)).selection == rows - 1)
        #expect(try state(after(showingClaims(), keys: .end, .down, .pageDown)).selection == rows - 1)
        #expect(try state(after(showingClaims(), keys: .up)).selection == 0)
    }

    @Test func theJSONScrollsToItsEndAndNoFurther() throws {
        let end = after(showingClaims(), keys: .character("r"), .end)
        #expect(try state(end).showsJSON)
        #expect(try state(end).top > 0)
        #expect(after(end, keys: .pageDown) == end)
        #expect(try state(after(end, keys: .character("r"))) == ClaimsState(acquisition, flow: EffectID(2)))
    }

    @Test("A token that cannot be read has no JSON", arguments: [TokenContent.opaque(length: 40), .absent])
    func unreadable(content: TokenContent) throws {
        var opaque = acquisition
        opaque.accessToken = content
        let model = after(showingClaims(opaque), keys: .character("2"), .character("r"))
        #expect(try !state(model).showsJSON)
        #expect(model.notice?.severity == .quiet)
    }

    @Test(
        "Contents", arguments: [("", TokenContent.absent), ("abc", .opaque(length: 3)), ("a.b.c", .opaque(length: 5))])
    func contents(token: String, content: TokenContent) {
        #expect(TokenContent(token) == content)
    }
}
