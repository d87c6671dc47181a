import MSAL
import TerminalUI
import Testing

@testable import Console

@Suite("Update: the claims")
struct ClaimsUpdateTests {
    private func state(_ model: Model) throws -> ClaimsState {
        guard let state = model.newest(ClaimsState.self) else { throw Unexpected() }
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
        let model = after(showingClaims(), keys: .down, .down, .character("d"), .down, .tab)
        var expected = ClaimsState(acquisition, flow: EffectID(2))
        (expected.tab, expected.selection) = (.accessToken, 0)
        #expect(try state(model) == expected)
    }

    @Test func reopeningTheCurrentTabKeepsItsPlace() throws {
        #expect(try state(after(showingClaims(), keys: .down, .character("1"))).selection == 1)
    }

    @Test func theSelectionStaysOnTheRows() throws {
        let rows = ClaimsState(acquisition).rows.count
        #expect(rows == 2 + 20 + 3, "two checks need attention")
        #expect(try state(after(showingClaims(), keys: .end)).selection == rows - 1)
        #expect(try state(after(showingClaims(), keys: .end, .down, .pageDown)).selection == rows - 1)
        #expect(try state(after(showingClaims(), keys: .home, .up)).selection == 0)
    }

    @Test func theJSONScrollsToItsEndAndNoFurther() throws {
        let end = after(showingClaims(), keys: .character("d"), .end)
        #expect(try state(end).showsJSON)
        #expect(try state(end).raw.top > 0)
        #expect(after(end, keys: .pageDown) == end)
        #expect(try state(after(end, keys: .character("d"))) == ClaimsState(acquisition, flow: EffectID(2)))
    }

    @Test("A token that cannot be read has no JSON", arguments: [ClaimsContent.opaque(length: 40), .absent])
    func unreadable(content: ClaimsContent) throws {
        var opaque = acquisition
        opaque.accessToken = content
        let model = after(showingClaims(opaque), keys: .character("2"), .character("d"))
        #expect(try !state(model).showsJSON)
        #expect(model.notice?.severity == .quiet)
    }

    @Test func twoTokensAreCompared() throws {
        let model = after(showingClaims(), keys: .character("="))
        let shown = try state(model)
        #expect(shown.comparison == .accessToken && shown.selection == 0)
        let kinds = shown.rows.map { row in
            guard case .difference(let difference) = row else { return "" }
            return "\(difference.name) \(difference.kind)"
        }
        #expect(kinds.contains("iss same") && kinds.contains("scp onlyRight") && kinds.contains("nonce onlyLeft"))
        #expect(try state(after(model, keys: .escape)).comparison == nil)
        #expect(try state(after(model, keys: .character("="))).comparison == nil)
        let swapped = try state(after(model, keys: .down, .tab))
        #expect((swapped.tab, swapped.comparison) == (.accessToken, .idToken) && swapped.selection == 0)
    }

    private func differences(_ state: ClaimsState) -> [ClaimsComparison.Difference.Kind] {
        state.rows.compactMap { if case .difference(let difference) = $0 { difference.kind } else { nil } }
    }

    @Test func dShowsTheDifferencesOnly() throws {
        let compared = after(showingClaims(), keys: .character("="), .down)
        #expect(try differences(state(compared)).contains(.same))
        let brief = after(compared, keys: .character("d"))
        #expect(try !differences(state(brief)).contains(.same) && !differences(state(brief)).isEmpty)
        #expect(try state(brief).selection == 0)
        #expect(try differences(state(after(brief, keys: .character("d")))).contains(.same))
    }

    private func checked(_ outcomes: MSALIDTokenVerdict.Outcome...) -> Acquisition {
        var checked = acquisition
        checked.verdicts = outcomes.enumerated().map {
            MSALIDTokenVerdict(rule: "Rule \($0)", outcome: $1, explanation: "Because.")
        }
        return checked
    }

    @Test func failedChecksThenWarningsComeFirst() throws {
        let model = showingClaims(checked(.passed, .warning, .failed, .skipped))
        let claims = try state(after(model, keys: .character("v")))
        let outcomes = claims.rows.compactMap { row in
            if case .verdict(let verdict) = row { verdict.outcome } else { nil }
        }
        #expect(outcomes == [.failed, .warning, .passed, .skipped] && claims.selection == 0)
    }

    @Test func theFilterKeepsRowsWithAllWords() throws {
        let typing = after(showingClaims(), keys: .character("/"), .character("i"), .character("s"), .character("s"))
        #expect(typing.focus == .claimsFilter)
        let count = try state(typing).rows.count
        #expect(count > 0 && count < ClaimsState(acquisition).rows.count)
        let kept = after(typing, keys: .enter)
        #expect(try kept.focus == .claims && state(kept).rows.count == count)
        #expect(try state(after(kept, keys: .escape)).rows.count == ClaimsState(acquisition).rows.count)
        // While typing, letters aren't commands.
        #expect(try state(after(typing, keys: .character("2"))).tab == .idToken)
    }

    @Test func theAccessTokenIsCopiedWithOneKey() throws {
        var model = showingClaims()
        let effects = update(&model, .input(.key(.character("c"))))
        guard case .work(_, .copyToken(let copied, saves: false)) = effects.first else { throw Unexpected() }
        #expect(copied == acquisition && effects.count == 1 && model.focus == .claims)
        let pasted = after(after(listing([alice]), keys: .character("t")), .input(.paste(jwt(#"{"sub":"a"}"#))))
        #expect(after(pasted, keys: .character("c")).notice?.text == "There is no access token to copy.")
    }

    @Test("A copied curl command has no token, but gets one when it runs")
    func curlCommand() throws {
        var namesake = alice
        namesake.identifier = "other"
        let identifier = alice.identifier
        for (start, name) in [
            (showingClaims(), alice.username), (listing([alice]), alice.username),
            (listing([alice, namesake]), identifier),
        ] {
            var model = start
            guard case .work(_, .copy(let copied)) = update(&model, .input(.key(.character("C")))).first else {
                throw Unexpected()
            }
            let command = "keyturn token --profile \(profile.name) --account \(name) "
            #expect(copied.text.hasPrefix(command) && copied.text.hasSuffix(" -o header | curl -H @- "))
        }
        var hostile = alice
        hostile.username = "ann@x\u{3}\ntouch pwned\n"
        var model = listing([hostile])
        guard case .work(_, .copy(let copied)) = update(&model, .input(.key(.character("C")))).first else {
            throw Unexpected()
        }
        #expect(copied.text.contains("--account \(identifier) ") && !copied.text.contains("touch"))
        let demo = after(listing([alice], demoProfile), keys: .character("C"))
        #expect(demo.notice?.text == "The demo's tokens are in memory only. Press c to copy one.")
    }

    @Test("Checks that passed or weren't needed are listed only on request; others always")
    func checks() throws {
        let model = showingClaims()
        #expect(try state(model).rows.count { if case .verdict = $0 { true } else { false } } == 2)
        let shown = after(model, keys: .character("v"))
        #expect(
            try state(shown).rows.count { if case .verdict = $0 { true } else { false } } == acquisition.verdicts.count)
        #expect(try state(after(shown, keys: .character("v"))) == state(model))
    }

    @Test("Who, for what, from whom and until when come first; eight claims are visible at 80x24")
    func wantedFirst() throws {
        let model = showingClaims(checked(.passed, .skipped))
        let names = try state(model).rows.compactMap { if case .claim(let claim) = $0 { claim.name } else { nil } }
        #expect(names.prefix(7) == ["name", "preferred_username", "email", "tid", "aud", "iss", "exp"])
        let text = view(model, standardSize).text
        #expect(names.prefix(8).allSatisfy { text.contains(" \($0) ") }, "\(text)")
    }

    @Test func aPastedTokenIsVerifiedUnlessOffline() throws {
        let token = jwt(#"{"iss":"https://id.example","sub":"a"}"#)
        var model = after(listing([alice]), keys: .character("t"))
        let effects = update(&model, .input(.paste("Bearer \(token)")))
        guard case .work(let id, .verify(token, _)) = effects.first else { throw Unexpected() }
        #expect(!"\(model)".contains(token))
        let bad = MSALIDTokenVerdict(rule: "Signature", outcome: .failed, explanation: "No key fits.")
        let good = MSALIDTokenVerdict(rule: "Issuer", outcome: .passed, explanation: "Matches.")
        let verified = after(model, .result(id, .verified([good, bad])))
        #expect(try state(verified).verdicts == [good, bad] && state(verified).selection == 0)
        let skipped = MSALIDTokenVerdict(rule: "Signature", outcome: .skipped, explanation: "No response.")
        let (before, unverified) = (
            try state(model).verdicts, try state(after(model, .result(id, .verified([skipped])))).verdicts
        )
        #expect(unverified.first == skipped && unverified.count == before.count)

        var offline = after(listing([alice]), keys: .character("t"), .control("o"))
        #expect(view(offline, standardSize).text.contains("Offline: nothing is sent."))
        #expect(update(&offline, .input(.paste(token))).isEmpty)
        #expect(try state(offline).tab == .pasted)
    }

    @Test func theEarlierTokenIsOfferedIfItDiffers() throws {
        var refreshed = acquisition
        refreshed.accessToken = ClaimsContent(jwt(#"{"sub":"new"}"#))
        var model = after(showingClaims(), keys: .escape, .enter)
        model = after(model, .result(EffectID(3), .acquired(.success(refreshed))))
        #expect(try state(after(model, keys: .character("3"))).tab == .previousAccessToken)
        #expect(try state(model).tabs == [.idToken, .accessToken, .previousAccessToken])
        let compared = after(model, keys: .character("2"), .character("="))
        #expect(try state(compared).comparison == .previousAccessToken)
        #expect(try state(after(compared, keys: .tab)).comparison == .idToken)
        let same = after(after(model, keys: .escape, .enter), .result(EffectID(4), .acquired(.success(refreshed))))
        #expect(try state(same).tabs == [.idToken, .accessToken])
    }

    @Test func aPastedTokenIsReadBesideTheOthers() throws {
        let pasting = after(showingClaims(), keys: .character("t"))
        #expect(pasting.focus == .tokenEntry)
        let read = after(pasting, .input(.paste("Authorization: Bearer \(jwt(#"{"sub":"pasted","exp":1}"#))\n")))
        #expect(try state(read).tab == .pasted)
        #expect(try state(read).verdicts.contains { $0.rule == "Signature" && $0.outcome == .skipped })
        #expect(try state(after(read, keys: .character("="))).comparison == .idToken)
        let alone = after(after(listing([alice]), keys: .character("t")), .input(.paste(jwt(#"{"sub":"a"}"#))))
        #expect(try state(alone).tabs == [.pasted])
        #expect(try state(after(alone, keys: .character("1"))).tab == .pasted)
        #expect(after(alone, keys: .character("2")).notice?.text == "No tab 2.")
    }

    @Test(
        "A text that is not a token stays in the field with the reason, and isn't repeated",
        arguments: ["hello-secret", "a.b.c-secret", "eyJ.secret"])
    func rejected(text: String) {
        var model = after(listing([alice]), keys: .character("t"))
        for character in text { model = after(model, keys: .character(character)) }
        #expect(!view(model, standardSize).text.contains("secret"))
        model = after(model, keys: .enter)
        #expect(model.overlay?.as(ClaimsEntry.self)?.field.text == text)
        let shown = view(model, standardSize).text
        #expect(shown.contains("✗ ") && !shown.contains("secret"))
        #expect(!view(after(model, keys: .backspace), standardSize).text.contains("✗ "))
        // A paste replaces what was rejected.
        #expect(after(model, .input(.paste(jwt(#"{"sub":"a"}"#)))).newest(ClaimsState.self)?.tab == .pasted)
    }

    @Test(
        "From the comparison, the raw token and the list of checks, Esc returns to the claims first",
        arguments: ["=", "d", "v"])
    func stepsBack(key: Key) {
        let once = after(after(showingClaims(), keys: key), keys: .escape)
        #expect(once == showingClaims())
        #expect(after(once, keys: .escape).focus == .accounts)
    }

    @Test func theSignatureIsShownOnlyOnRequest() throws {
        let raw = after(showingClaims(), keys: .character("d"), .end)
        #expect(!view(raw, standardSize).text.contains("bm8gc2lnbmF0dXJl"))
        let revealed = after(raw, keys: .character("S"), .end)
        #expect(view(revealed, standardSize).text.contains("bm8gc2lnbmF0dXJl"))
        #expect(try !state(after(revealed, keys: .character("d"), .character("d"))).isRevealed)
        #expect(after(showingClaims(), keys: .character("S")).notice?.severity == .quiet)
    }

    @Test("Who shows a pasted token's signature doesn't show the next one's")
    func nextSignature() throws {
        let first = after(after(listing([alice]), keys: "t"), .input(.paste(jwt(#"{"sub":"a"}"#))))
        let revealed = after(first, keys: "d", "S")
        #expect(try state(revealed).isRevealed)
        let second = after(after(revealed, keys: "t"), .input(.paste(jwt(#"{"sub":"b"}"#))))
        #expect(try state(second).tab == .pasted && !state(second).isRevealed)
    }

    @Test(
        "Contents", arguments: [("", ClaimsContent.absent), ("abc", .opaque(length: 3)), ("a.b.c", .opaque(length: 5))])
    func contents(token: String, content: ClaimsContent) {
        #expect(ClaimsContent(token) == content)
    }
}
