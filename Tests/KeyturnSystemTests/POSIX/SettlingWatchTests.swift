import Testing

@testable import KeyturnSystem

@Suite("Files in the middle of a write")
struct SettlingWatchTests {
    private static let writer = RunningProcess(id: 7)

    private static func observation(size: Int = 0, age: Double, at now: Double) -> SettlingWatch.Observation {
        var version = FileVersion.none
        version.size = size
        return SettlingWatch.Observation(version: version, age: age, now: now)
    }

    private func watch() -> SettlingWatch {
        SettlingWatch(path: "cache.json", patience: .init(quietSeconds: 2, seconds: 5))
    }

    @Test("A file that has just changed is read again, without a search for its writer")
    func fresh() {
        var watch = watch()
        for now in [100, 101, 103.9] {
            let verdict = watch.verdict(on: Self.observation(size: Int(now), age: 0, at: now)) {
                Issue.record("searched")
                return nil
            }
            #expect(verdict == .again(microseconds: 5_000))
        }
    }

    @Test("An old file that no process writes is final at once")
    func old() {
        var watch = watch()
        #expect(watch.verdict(on: Self.observation(age: 3, at: 100)) { nil } == .final)
    }

    @Test("The writer of an old file gets time, and is named at the end")
    func writing() {
        var watch = watch()
        #expect(
            watch.verdict(on: Self.observation(age: 60, at: 100)) { Self.writer } == .again(microseconds: 100_000))
        #expect(
            watch.verdict(on: Self.observation(age: 65, at: 105)) { Self.writer } == .unfinished(writer: Self.writer))
    }

    @Test("A file that changes all the time has an unknown writer at the end")
    func changing() {
        var watch = watch()
        #expect(watch.verdict(on: Self.observation(age: 0, at: 100)) { nil } == .again(microseconds: 5_000))
        #expect(watch.verdict(on: Self.observation(size: 1, age: 0, at: 105)) { nil } == .unfinished(writer: nil))
    }

    @Test("A file from the future is final once it hasn't changed for long enough")
    func clockSetBack() {
        var watch = watch()
        #expect(watch.verdict(on: Self.observation(age: -3600, at: 100)) { nil } == .again(microseconds: 5_000))
        #expect(watch.verdict(on: Self.observation(age: -3598, at: 102)) { nil } == .final)
    }
}
