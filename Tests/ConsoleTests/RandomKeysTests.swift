import Diagnosis
import Foundation
import MSAL
import TerminalUI
import Testing

@testable import Console

/// Random keys from a seed, with results, resizes, clicks, pastes, ticks and flow events at random moments.
@Suite("Random keys")
struct RandomKeysTests {
    private static let keys: [Key] =
        Set(allCommands.flatMap(\.command.keys)).subtracting([.control("c"), .character("q")]).sorted {
            "\($0)" < "\($1)"
        }
        + [.character("x"), .backspace, .delete, .alt("a"), .character("é"), .function(12)]

    /// Each seed starts at every fifth golden state, so that all states are left by many routes.
    private static let seeds: [UInt64] = [1, 2, 3, 5, 8]
    private static let keysOfASeed = 2000

    @Test("10,000 keys and other messages leave a valid state", arguments: seeds)
    func legal(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let place = try #require(Self.seeds.firstIndex(of: seed))
        let starts = screenStates.indices.filter { $0 % Self.seeds.count == place }.map { screenStates[$0] }
        for start in starts {
            var model = start.model
            for _ in 0..<Self.keysOfASeed / starts.count {
                let pressed = key(for: model, &random)
                let effects = update(&model, .input(.key(pressed)))
                expectLegal(model, "\(start.name): \(pressed)")
                for effect in effects where random.below(3) > 0 {
                    _ = update(&model, answer(to: effect, &random))
                    expectLegal(model, "\(start.name): \(effect)")
                }
                if random.below(5) == 0 {
                    let message = arrival(in: model, &random)
                    _ = update(&model, message)
                    expectLegal(model, "\(start.name): \(message)")
                }
                if random.below(20) == 0 { expectWhole(view(model, model.size), "\(start.name): \(pressed)") }
            }
            #expect(!model.isFinished, "\(start.name)")
        }
    }

    /// No key that ends the program.
    private func key(for model: Model, _ random: inout SplitMix) -> Key {
        if let palette = model.overlay?.as(PaletteState.self),
            let name = palette.selected(model.context)?.entry.info.name,
            ["close", "interrupt"].contains(name)
        {
            return .escape
        }
        if let name = model.overlay?.as(HelpState.self)?.selected(model.context)?.command,
            ["close", "interrupt"].contains(name)
        {
            return .escape
        }
        return Self.keys[random.below(Self.keys.count)]
    }

    /// A message other than a key: for the running activity, or for one that was left.
    private func arrival(in model: Model, _ random: inout SplitMix) -> Message {
        let id = random.below(2) == 0 ? model.running ?? EffectID(2) : EffectID(random.below(9))
        // The last row has a hint that ends the program.
        let point = Point(x: random.below(130), y: random.below(max(1, model.size.height - 1)))
        let steps: [MSALFlowEvent.Step] = [.findAuthority, .openBrowser, .waitForResponse, .callBroker, .saveTokens]
        let phases: [MSALFlowEvent.Phase] = [.started, .noted, .succeeded, .failed]
        switch random.below(12) {
        case 0, 1: return .input(.resize(Size(width: random.below(130), height: random.below(45))))
        case 2: return .input(.mouse(MouseEvent(.press, at: point)))
        case 3: return .input(.mouse(MouseEvent(random.below(2) == 0 ? .wheelUp : .wheelDown, at: point)))
        case 4: return .tick(testTime.addingTimeInterval(Double(random.below(90_000)) - 1000))
        case 5, 6:
            let heard = event(
                steps[random.below(steps.count)], phases[random.below(phases.count)], wideText, url: authorizationURL)
            return of(id, heard)
        case 7: return .progress(id, .exchange(wideExchange))
        case 8: return .progress(id, .deviceCode(shownCode))
        case 9: return .input(.paste([wideText, longText, jwt("{}"), "x\n"][random.below(4)]))
        case 10: return .progress(EffectID(1), .unread(networkReport))
        default:
            return .result(id, .acquired(random.below(2) == 0 ? .success(acquisition) : .failure(networkReport)))
        }
    }

    /// Checks the invariants of a model.
    private func expectLegal(_ model: Model, _ cause: @autoclosure () -> String) {
        let state = model.accounts
        let isListLegal = isLegal(state.selection, in: state.visible.count)
        #expect(isListLegal, "\(cause())")
        let isBeneathStill = model.routes.dropLast().allSatisfy { $0.base.activity == nil }
        #expect(isBeneathStill, "\(cause())")
        let isRouteLegal = model.routes.last.map { isLegal($0, in: model) } ?? true
        #expect(isRouteLegal, "\(cause())")
        let isInspectorLegal =
            model.inspector.map { isLegal($0.selection, in: model.inspected?.rows.count ?? 0) } ?? true
        #expect(isInspectorLegal, "\(cause())")
        #expect(model.routes.count <= 6, "\(cause())")
    }

    private func isLegal(_ screen: AnyScreen, in model: Model) -> Bool {
        if let state = screen.as(ClaimsState.self) { guard state.tabs.contains(state.tab) else { return false } }
        guard let extent = screen.as((any MovingScreen).self)?.extent(model.context) else { return true }
        return isLegal(extent.position, in: extent.last + 1)
    }

    private func isLegal(_ selection: Int, in count: Int) -> Bool {
        count == 0 ? selection == 0 : (0..<count) ~= selection
    }

    private func expectWhole(_ surface: Surface, _ cause: @autoclosure () -> String) {
        let rows = (0..<surface.size.height).map(surface.row)
        let isWhole = rows.allSatisfy { $0.reduce(0) { $0 + $1.width } == surface.size.width }
        #expect(isWhole, "\(cause())")
        let isOnScreen = surface.cursor.map { surface.bounds.contains($0.position) } == true || surface.cells.isEmpty
        #expect(isOnScreen, "\(cause())")
    }

    private func answer(to effect: Effect, _ random: inout SplitMix) -> Message {
        let fails = random.below(3) == 0
        let report = random.below(2) == 0 ? networkReport : interactionReport
        switch effect {
        case .work(let id, .readAccounts), .work(let id, .takeBack):
            return .result(id, .accounts(fails ? .failure(report) : .success(manyAccounts(1 + random.below(40)))))
        case .work(let id, .signIn), .work(let id, .acquireSilently):
            return .result(id, .acquired(fails ? .failure(report) : .success(acquisition)))
        case .work(let id, .remove):
            return .result(id, .removed(fails ? .failure(report) : .success(nil)))
        case .work(let id, .signOut):
            return .result(id, .signedOut(fails ? .failure(report) : .success(nil)))
        case .deliver(let id, _):
            return .progress(id, .pasteRejected(report))
        case .work(let id, .held):
            return .progress(id, .held(heldRequest(fails ? "The request has no parameter foo." : nil)))
        case .release(let id, _):
            return .result(id, .acquired(fails ? .failure(report) : .success(acquisition)))
        case .work(_, .copy(let text)):
            return .result(
                EffectID(9), .copied(.text(text), fails ? .rejected("Too long for the terminal's clipboard.") : .sent))
        case .work(_, .save(let text)):
            return .result(
                EffectID(9), .saved(text, fails ? .failure(report) : .success("/home/alice/" + text.fileName)))
        case .work(let id, .compare):
            return .result(id, .compared(fails ? .failure(report) : .success(differing)))
        case .work(let id, .runCommand):
            let ended = EndedCommand(ending: "It has succeeded.", hasSucceeded: true, output: "pods\n")
            return .result(id, .ran(fails ? .failure(report) : .success(ended)))
        case .work(let id, .doors): return .result(id, .doors(fails ? [] : openDoors))
        case .work(let id, .listFolder):
            return .result(id, .folder(fails ? .failure(report) : .success(folderEntries)))
        case .work(let id, .editConfiguration):
            return .result(id, .edited(fails ? report : nil))
        case .work(let id, .verify):
            return .result(id, .verified(fails ? [] : acquisition.verdicts))
        case .work(_, .copyToken(let acquisition, let saves)):
            let text = CopiedText("the access token", fileName: "token.txt", "")
            if saves {
                return .result(EffectID(9), .saved(text, fails ? .failure(report) : .success("/home/alice/token.txt")))
            }
            return .result(EffectID(9), .copied(.token(acquisition), fails ? .rejected("Too long.") : .sent))
        case .work(let id, .explain):
            return .result(id, .explained(fails ? .failure(report) : .success(wideExplained)))
        case .work(let id, .review):
            return .result(id, .reviewed(fails ? .failure(report) : .success(reviewedCopy)))
        case .work(let id, .export(let export, let replaces, _)):
            let refusal = replaces ? report : existingReport
            return .result(
                id,
                .exported(
                    export, fails ? .failure(refusal) : .success(Exported(path: export.path, isPathCopied: replaces))))
        case .work(let id, .profiles(let work)):
            return .result(id, .profiles(bookAnswer(to: work)))
        case .work(let id, .check):
            return .result(id, .checked(fails ? goodReport : checkReport))
        case .work(let id, .openScenario):
            return .result(id, .scenarioOpened(fails ? .failure(report) : .success(walkProfile)))
        case .work(let id, .performStep(let step, _)):
            return ending(of: step, id, fails: fails ? report : nil)
        case .act(_, let id, _, _, _):
            return fails ? .progress(id, .stuck) : .progress(id, .page(signInVisits[0]))
        case .work(let id, .checkURLHandler):
            let handlers: [MachineFindings.Handler] = [.notNeeded, .ours(scheme: "msauth"), .unknown(scheme: "msauth")]
            return .result(id, .urlHandler(handlers[random.below(3)]))
        case .saveChoices, .saveDefaultAccount, .display:
            return fails ? .choicesNotSaved(report) : .tick(testTime)
        case .forgetTyped:
            return .input(.forgotten)
        case .cancel:
            return .tick(testTime)
        }
    }
}

/// SplitMix64: small, and the same on every platform.
private struct SplitMix {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % UInt64(limit))
    }
}
