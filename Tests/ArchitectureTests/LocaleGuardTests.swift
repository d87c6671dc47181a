import Foundation
import Testing

/// Tests run with the locale data of the release only (Tests/CLocaleGuard).
@Suite("Locale guard")
struct LocaleGuardTests {
    @Test("A request for locale data that the release lacks ends the process")
    func collation() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            _ = "ä".localizedStandardCompare("b")
        }
    }

    @Test("Hosts and time zones work with the data of the release")
    func kept() throws {
        #expect(URL(string: "https://bücher.example/")?.absoluteString == "https://xn--bcher-kva.example/")
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(zone.secondsFromGMT(for: Date(timeIntervalSince1970: 1_751_328_000)) == 7200)
    }
}
