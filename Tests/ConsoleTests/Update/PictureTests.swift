import Foundation
import TerminalUI
import Testing

@testable import Console

@Suite("Update: the QR code alone")
struct PictureTests {
    private let device = after(
        after(listing([alice]), keys: .character("m")), .progress(EffectID(2), .deviceCode(shownCode)))

    private func isAlone(_ model: Model) throws -> Bool {
        guard let state = model.newest(SignInState.self) else { throw Unexpected() }
        return state.showsPictureAlone
    }

    @Test func theKeyShowsItAndTheTextAgain() throws {
        let alone = after(device, keys: .character("z"))
        #expect(try isAlone(alone))
        #expect(try !isAlone(after(alone, keys: .character("z"))))
    }

    @Test func escapeLeadsToTheTextBeforeItCancels() throws {
        var model = after(device, keys: .character("z"))
        #expect(update(&model, .input(.key(.escape))) == [])
        #expect(try !isAlone(model))
        #expect(update(&model, .input(.key(.escape))) == [.cancel(EffectID(2))])
    }

    @Test func interruptCancelsAtOnce() {
        var model = after(device, keys: .character("z"))
        #expect(update(&model, .input(.key(.control("c")))) == [.cancel(EffectID(2))])
        #expect(model.routes == [])
    }

    @Test func withoutAPictureItSaysSo() throws {
        let model = after(listing([alice]), keys: .character("i"), .character("z"))
        #expect(try !isAlone(model))
        #expect(model.notice?.text.contains("QR code") == true)
    }

    @Test(
        "A window with enough room shows the QR code",
        arguments: [(80, 24, true), (60, 20, true), (40, 21, true), (40, 12, false), (120, 10, false)])
    func sizes(width: Int, height: Int, fits: Bool) {
        let text = view(after(device, keys: .character("z")), Size(width: width, height: height)).text
        #expect(text.contains("▄") == fits)
        #expect(text.contains("The QR code needs") != fits)
    }

    @Test func textThatThePictureLacksIsBelowIt() {
        let text = view(after(device, keys: .character("z")), Size(width: 60, height: 24)).text
        #expect(text.contains("Code BCDF-GHJK"))
    }

    @Test func thePictureIsTheSameAsBesideTheText() throws {
        let size = Size(width: 100, height: 30)
        let beside = try #require(view(device, size).lines.first { $0.contains("▀▀▀▀▀") })
        let row = try #require(beside.split(separator: " ").last)
        #expect(view(after(device, keys: .character("z")), size).text.contains(row))
    }
}

@Suite("QR codes of pages")
struct PagePictureTests {
    @Test(
        "A page on this computer has no QR code, because another device can't open it",
        arguments: [
            ("https://login.contoso.example/device?user_code=BCDF-GHJK", true),
            ("http://127.0.0.1:40001/device", false),
            ("http://localhost:40001/common/oauth2/v2.0/authorize?client_id=1", false),
            ("http://[::1]:40001/device", false), ("https://localhost/device", false),
        ])
    func loopback(address: String, hasPicture: Bool) throws {
        #expect((QRCode(page: try #require(URL(string: address))) != nil) == hasPicture)
    }
}
