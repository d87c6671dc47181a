import MSAL
import TerminalUI
import TestSupport
import Testing

@testable import Console

@Suite("Screens")
struct ScreenTests {
    static let sizes = [
        standardSize, Size(width: 120, height: 40), Size(width: 60, height: 20), Size(width: 40, height: 12),
    ]

    @Test("Every screen in every state, at every size with its own layout", arguments: screenStates.map(\.name))
    func golden(name: String) throws {
        let surfaces = try #require(shownScreens[name])
        let sizes = ScreenMatrix.statesAtEverySize.contains(name) ? Self.sizes.count : 1
        expectGolden(GoldenText(Array(surfaces.prefix(sizes))).text, name: name)
    }

    @Test func looks() {
        let styles = Set(shownScreens.values.joined().flatMap { $0.cells.map(\.style) })
        expectGolden(GoldenText(looksOf: styles).text, name: "looks")
    }

    @Test("Every golden file belongs to a test")
    func files() throws {
        try expectGoldenFiles(screenStates.map(\.name) + ["looks", "too-small"] + plainTranscripts.map(\.name))
    }

    @Test(
        "Every screen with enough room shows the protection of the tokens",
        arguments: [
            (MSALCacheProtection.Kind.keyring, "tokens encrypted, key in keyring"),
            (.passphrase, "tokens encrypted, key from passphrase"), (.keyFile, "tokens encrypted, key in file"),
            (.unifiedFile, "tokens in shared file, not encrypted"), (.memory, "tokens in memory only"),
        ])
    func protection(kind: MSALCacheProtection.Kind, words: String) {
        for model in [listing([alice]), showingClaims(), showingFailure(networkReport)] {
            let rule = view(after(model, .progress(EffectID(1), .cacheOpened(protected(kind)))), standardSize).lines[1]
            #expect(rule.contains(words), "\(rule)")
        }
    }

    @Test(
        "ASCII mode prints only ASCII",
        arguments: ["accounts", "sign-in-waiting", "claims", "removal-dialog", "help-accounts"])
    func ascii(name: String) throws {
        var model = try state(named: name)
        model.options.ascii = true
        // The fixtures contain names with other letters, which are shown unchanged.
        let lines = view(model, standardSize).lines.map { $0.replacing("Å", with: "A").replacing("ö", with: "o") }
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }, "\(lines.joined(separator: "\n"))")
    }

    @Test(
        "A window that is too small names the required size",
        arguments: [
            Size(width: 39, height: 12), Size(width: 80, height: 7), Size(width: 10, height: 3),
            Size(width: 1, height: 1), .zero,
        ])
    func tiny(size: Size) {
        let text = view(listing([alice]), size).lines.joined()
        #expect(text.contains("needs 40x8") == (size.width >= 39))
    }

    @Test func tooSmall() {
        let sizes = [Size(width: 39, height: 12), Size(width: 80, height: 7), Size(width: 10, height: 3)]
        expectGolden(GoldenText(sizes.map { view(listing([alice]), $0) }).text, name: "too-small")
    }

    @Test("The cursor is on the screen at every size", arguments: screenStates.map(\.name))
    func cursor(name: String) throws {
        for (width, height) in [(40, 8), (79, 11), (100, 16), (41, 60), (240, 9)] {
            let surface = view(try state(named: name), Size(width: width, height: height))
            let position = surface.cursor?.position
            #expect(position.map(surface.bounds.contains) == true, "\(width)x\(height)")
        }
    }

    @Test("The whole URL is on the screen", arguments: sizes)
    func address(size: Size) throws {
        let shown = view(try state(named: "sign-in-waiting"), size).lines.joined()
        let address = try #require(authorizationURL?.absoluteString)
        #expect(shown.contains(address) || (size.height < 20 && shown.contains("copies all")))
    }

    @Test func tokenSecretsAreNotShown() throws {
        for (name, model) in screenStates where name.hasPrefix("claims") {
            #expect(!view(model, Size(width: 400, height: 100)).text.contains("bm8gc2lnbmF0dXJl"), "\(name)")
        }
    }

    @Test func hostileTextIsHarmless() throws {
        for size in Self.sizes {
            for name in ["claims-wide", "accounts-wide"] {
                let scalars = view(try state(named: name), size).text.unicodeScalars
                #expect(!scalars.contains { $0.value == 0x1B || $0.value == 0x202E })
            }
        }
    }
}
