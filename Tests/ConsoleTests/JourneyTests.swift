import Console
import TerminalUI
import Testing

/// The whole program on a screen in memory; only the library is played.
@Suite("Journeys")
struct JourneyTests {
    private func expect(_ text: String, on screen: MemoryScreen) async {
        let surface = await screen.surface { $0.text.contains(text) }
        #expect(surface != nil, "\"\(text)\" did not come; last:\n\(screen.lastSurface?.text ?? "nothing")")
    }

    @Test(.timeLimit(.minutes(1)))
    func signInReadTheClaimsRemoveTheAccount() async {
        let screen = MemoryScreen(size: standardSize)
        let effects = ScriptedEffects(accounts: [])
        async let program: Void = runLoop(newModel(demoProfile), on: screen, performer: effects)

        await expect("No account yet.", on: screen)
        screen.send(.character("i"))
        await expect("Signed in as alice@contoso.example.", on: screen)
        await expect("Signed by key-1 of the authority", on: screen)
        screen.send(.escape)
        await expect("1 of 1", on: screen)
        screen.send(.character("D"))
        await expect("Remove this account?", on: screen)
        screen.send(.character("y"))
        await expect("Removed alice@contoso.example", on: screen)
        await expect("No account yet.", on: screen)
        screen.send(.character("q"))
        await program

        #expect(
            effects.performed == [
                .readAccounts(EffectID(1)), .signIn(EffectID(2), SignInRequest(scopes: ["User.Read"])),
                .readAccounts(EffectID(3)), .remove(EffectID(4), account: alice.identifier),
                .readAccounts(EffectID(5)),
            ])
        #expect(effects.paces == [.tenTimesASecond, .everyMinute, .still, .still])
        #expect(effects.isFinished)
    }

    @Test(.timeLimit(.minutes(1)))
    func aSilentTokenThatNeedsThePersonEndsInASignIn() async {
        let screen = MemoryScreen(size: Size(width: 40, height: 12))
        let effects = ScriptedEffects(accounts: [bob])
        async let program: Void = runLoop(newModel(), on: screen, performer: effects)

        await expect("bob@contoso.example", on: screen)
        screen.send(.enter)
        await expect("Sign in again?", on: screen)
        screen.send(.enter)
        await expect("Signed in as", on: screen)
        screen.send(.control("c"))
        await program
        #expect(effects.isFinished)
    }

    @Test(.timeLimit(.minutes(1)))
    func theProgramEndsWithTheTerminal() async {
        let screen = MemoryScreen(size: standardSize)
        let effects = ScriptedEffects(accounts: [])
        async let program: Void = runLoop(newModel(), on: screen, performer: effects)
        await expect("No account yet.", on: screen)
        screen.close()
        await program
        #expect(effects.isFinished)
    }

    @Test(.timeLimit(.minutes(1)))
    func aProblemIsShownAndClosed() async {
        let screen = MemoryScreen(size: standardSize, script: [.key(.character("q"))])
        await runProgram(.problem(problem, configPath: "/etc/keyturn.json"), on: screen)
        #expect(screen.surfaces.first?.text.contains("/etc/keyturn.json") == true)
    }
}
