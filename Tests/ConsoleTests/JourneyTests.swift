import Console
import TerminalUI
import TestSupport
import Testing

/// The whole program on a screen in memory; only the library is replaced.
@Suite("Journeys")
struct JourneyTests {
    @Test(.timeLimit(.minutes(10)))
    func signInReadTheClaimsRemoveTheAccount() async {
        let screen = MemoryScreen(size: standardSize)
        let effects = ScriptedEffects(accounts: [])
        async let program: Void = runLoop(newModel(demoProfile), on: screen, performer: effects)

        await screen.expect("No accounts yet.")
        screen.send(.character("i"))
        await screen.expect("Signed in as alice@contoso.example.")
        await screen.expect("passed")
        screen.send(.escape)
        await screen.expect("1 of 1")
        screen.send(.character("D"))
        await screen.expect("Sign out this account?")
        screen.send(.character("y"))
        await screen.expect("Removed alice@contoso.example")
        await screen.expect("No accounts yet.")
        screen.send(.character("q"))
        await program

        #expect(
            effects.performed == [
                .work(EffectID(1), .readAccounts), .work(EffectID(2), .signIn(SignInRequest(scopes: ["User.Read"]))),
                .work(EffectID(3), .readAccounts), .work(EffectID(4), .remove(account: alice.identifier)),
                .work(EffectID(5), .readAccounts),
            ])
        #expect(effects.paces == [.tenTimesASecond, .everyMinute, .still, .still])
        #expect(effects.isFinished)
    }

    @Test(.timeLimit(.minutes(10)))
    func aSilentTokenThatNeedsTheUserLeadsToASignIn() async {
        let screen = MemoryScreen(size: Size(width: 40, height: 12))
        let effects = ScriptedEffects(accounts: [bob])
        async let program: Void = runLoop(newModel(), on: screen, performer: effects)

        await screen.expect("bob@contoso.example")
        screen.send(.enter)
        await screen.expect("Sign in again?")
        screen.send(.enter)
        await screen.expect("Signed in as")
        screen.send(.control("c"))
        await program
        #expect(effects.isFinished)
    }

    @Test(.timeLimit(.minutes(10)))
    func theProgramEndsWithTheTerminal() async {
        let screen = MemoryScreen(size: standardSize)
        let effects = ScriptedEffects(accounts: [])
        async let program: Void = runLoop(newModel(), on: screen, performer: effects)
        await screen.expect("No accounts yet.")
        screen.close()
        await program
        #expect(effects.isFinished)
    }

    @Test(.timeLimit(.minutes(10)))
    func aProblemIsShownAndClosed() async {
        let screen = MemoryScreen(size: standardSize, script: [.key(.character("q"))])
        await runProgram(.problem(problem, configPath: "/etc/keyturn.json"), on: screen)
        #expect(screen.surfaces.first?.text.contains("/etc/keyturn.json") == true)
    }
}
