import Foundation
import TerminalUI
import Testing

@testable import Console

@Suite("The order of the account list")
struct AccountsOrderTests {
    private func account(_ id: String, _ place: String, until seconds: Double? = nil, name: String? = nil)
        -> AccountSummary
    {
        var account = AccountSummary(
            identifier: id, name: name ?? id, username: "\(id)@contoso.example", tenant: "home",
            environment: place)
        account.token = seconds.map { .held(until: testTime.addingTimeInterval($0), canRefresh: true) }
        return account
    }

    private var model: Model {
        listing([
            account("dan", "b.example", until: 60), account("ann", "a.example", until: 3600),
            account("bob", "b.example"),
            account("cid", "a.example", until: -10),
        ])
    }

    private func shown(_ model: Model) -> [String] { model.accounts.visible.map { model.accounts.all[$0].identifier } }

    @Test(
        "s cycles through the orders",
        arguments: [
            (0, ["ann", "cid", "bob", "dan"]), (1, ["ann", "bob", "cid", "dan"]), (2, ["ann", "bob", "cid", "dan"]),
            (3, ["cid", "dan", "ann", "bob"]), (4, ["ann", "cid", "bob", "dan"]),
        ])
    func orders(presses: Int, expected: [String]) {
        let model = (0..<presses).reduce(model) { model, _ in after(model, keys: .character("s")) }
        #expect(shown(model) == expected)
    }

    @Test(
        "A filter selects the account whose name begins with its words, and keeps the selected one if that does",
        arguments: [("ann", "ann.hoffmann"), ("ann hof", "ann.hoffmann"), ("hof", "klara.hoffmann"), ("zz", nil)])
    func typing(filter: String, expected: String?) {
        let model = after(
            listing([account("ann.hoffmann", "a.example"), account("klara.hoffmann", "a.example")]), keys: .end)
        let typed = "/\(filter)".reduce(model) { after($0, keys: .character($1)) }
        #expect(typed.accounts.selected?.identifier == expected)
    }

    @Test("Accounts of other authorities are last, unselected and marked in every order", arguments: 0..<4)
    func otherAuthorities(presses: Int) {
        var other = account("abe", "a.example", until: 30)
        other.otherAuthority = "https://a.example/realms/other"
        let model = (0..<presses).reduce(
            listing([other, account("dan", "b.example", until: 60), account("ann", "a.example")])
        ) {
            model, _ in after(model, keys: .character("s"))
        }
        #expect(shown(model).last == "abe")
        #expect(model.accounts.selected?.otherAuthority == nil)
        let lines = view(model, standardSize).lines
        #expect(lines.contains { $0.contains("abe") && $0.contains("other authority") })
        // The heading of its own.
        #expect(lines.contains { $0.contains("https://a.example/realms/other") } == (presses == 0))
    }

    @Test("For an account of another authority, only what works is offered, and the removal names its authority")
    func commandsOfOthers() {
        var other = account("abe", "a.example", until: 30)
        other.otherAuthority = "https://a.example/realms/other"
        let model = after(listing([account("ann", "a.example"), other]), keys: .down)
        #expect(model.accounts.selected?.otherAuthority != nil)
        for key in [Key.enter, .character("R")] {
            let pressed = after(model, keys: key)
            #expect(pressed.routes == model.routes)
            #expect(pressed.context.notice?.text.contains("Choose its profile first.") == true)
        }
        let details = view(model, Size(width: 120, height: 40)).lines.joined(separator: "\n")
        #expect(details.contains("P      profiles") && !details.contains("copy token"))
        let dialog = view(after(model, keys: .character("D")), standardSize).lines.joined()
        #expect(dialog.contains("https://a.example/realms/other"))
    }

    @Test(
        "Those that need the user are first in their tenant, and another one or the default is selected",
        arguments: [nil, "cid"])
    func needy(usual: String?) {
        var accounts = [
            account("ann10", "a.example", until: 3600), account("ann2", "a.example", until: 3600),
            account("cid", "a.example"), account("bob", "b.example", until: 3600),
        ]
        accounts[2].token = AccessState.none
        var profile = profile
        profile.savedChoices.account = usual
        let model = after(newModel(profile), .started, .result(EffectID(1), .accounts(.success(accounts))))
        #expect(shown(model) == ["cid", "ann2", "ann10", "bob"])
        #expect(model.accounts.selected?.identifier == usual ?? "ann2")
        #expect(shown(after(model, keys: "s", "s", "s")).first == "cid")
    }

    @Test(
        "Each width shows the whole state of the token, and the time of its end if there's room",
        arguments: [40, 60, 80, 99, 100, 104, 120])
    func states(width: Int) {
        var accounts = accountsWithTokens
        accounts[0].username = "a-rather-long-name-that-no-narrow-window-holds@contoso.example"
        let text = view(listing(accounts), Size(width: width, height: 24)).text
        for state in ["● valid 59 min", "! expires soon", "◐ refreshes", "✗ sign in again"] {
            #expect(text.contains(state), "\(text)")
        }
        let end = Moment.clock(testTime.addingTimeInterval(3540), in: testZone, from: testTime)
        #expect(text.contains(end) == (width >= 60), "\(text)")
        #expect(text.contains("Alice"), "\(text)")
    }

    @Test("A search begins without the words of the last one")
    func searchAnew() {
        let searched = after(model, keys: "/", "a", "n", "n", .enter)
        #expect(shown(searched) == ["ann"])
        #expect(shown(after(searched, keys: "/")).count == 4)
    }

    @Test func theSelectionStaysOnItsAccount() {
        let model = after(model, keys: .down, .down, .down, .character("s"))
        #expect(model.accounts.selected?.identifier == "dan")
    }

    @Test func headingsAppearWhereTheGroupChanges() {
        let lines = view(model, standardSize).lines.dropFirst().filter { $0.contains(".example") && !$0.contains("@") }
        #expect(
            lines.map { $0.trimmingCharacters(in: .whitespaces) } == [
                "a.example  contoso.example", "b.example  contoso.example",
            ])
        #expect(after(model, keys: .character("s")).accounts.headings.count == 0)
        #expect(listing([alice, bob]).accounts.headings.count == 0)
    }

    @Test func aHeadingNamesTheTenantByItsDomain() {
        func lines(_ accounts: [AccountSummary]) -> [String] { view(listing(accounts), standardSize).lines }
        var (eve, far) = (account("eve", "a.example"), account("far", "a.example"))
        eve.tenant = "11111111-2222-3333-4444-555555555555"
        far.tenant = "66666666-7777-8888-9999-000000000000"
        eve.username = "eve@fabrikam.example"
        #expect(lines([eve, far]).contains { $0.contains("a.example  fabrikam.example") })
        #expect(!lines([eve, far]).joined().contains("11111111"))
        // Two tenants with one domain have only their GUID.
        far.username = "far@fabrikam.example"
        #expect(lines([eve, far]).contains { $0.contains("a.example  11111111") })
        var guest = account("gus", "a.example")
        (guest.tenant, far.username) = (eve.tenant, "far@contoso.example")
        #expect(lines([eve, guest, far]).contains { $0.contains("fabrikam.example and others") })
    }

    @Test func movingSkipsHeadings() {
        var seen: [String?] = []
        var model = model
        for _ in 0..<4 {
            seen.append(model.accounts.selected?.identifier)
            model = after(model, keys: .down)
        }
        #expect(seen == ["ann", "cid", "bob", "dan"])
    }

    @Test func theFilterNarrowsAndWidens() {
        let typed = after(model, keys: .character("/"), .character("A"), .character("n"))
        #expect(shown(typed) == ["ann", "dan"])
        #expect(shown(after(typed, keys: .character("n"))) == ["ann"])
        #expect(shown(after(typed, keys: .character("n"), .backspace)) == ["ann", "dan"])
    }

    @Test(
        "A token's remaining time is counted down by the minute",
        arguments: [(true, Pace.everyMinute), (false, .still)])
    func pace(runs: Bool, expected: Pace) {
        #expect(listing([account("ann", "a.example", until: runs ? 60 : -60)]).pace == expected)
    }

    @Test func movingThroughThousandsReadsOnlyTheVisibleOnes() {
        var model = listing(manyAccounts(10_000))
        model = after(model, keys: .end, .pageUp, .up)
        #expect(model.accounts.visible.count == 10_000)
        #expect(view(model, standardSize).text.contains(model.accounts.selected?.username ?? "?"))
    }
}
