import KeyturnSystem

/// Programs without the lock can overwrite a change in two ways: they read the file before it and save after it, or they
/// opened the replaced file before it and write to that.
extension UnifiedFileCredentialStore {
    /// Looks for a short time whether a change is still in the file. If not, makes it again, with what others wrote.
    func watch(over change: UnifiedFile.Replacement) throws(CredentialStoreFailure) {
        var change = change
        var late = LateWriter(change.before, of: file, patience.settling)
        let last = MonotonicClock.seconds() + patience.settling.seconds
        var deadline = MonotonicClock.seconds() + patience.watchSeconds
        while true {
            let written = late.look()
            let isNeeded = try needsRepair(change, with: written.document)
            let now = MonotonicClock.seconds()
            if isNeeded {
                guard now < last else { throw file.overwritten() }
                guard let repaired = try repair(change, with: written.document, seconds: last - now) else { continue }
                change = repaired
                late = LateWriter(change.before, of: file, patience.settling)
                deadline = min(now + patience.watchSeconds, last)
            } else {
                guard written.isUnfinished || now < deadline else { return }
                ThreadPool.pause(microseconds: written.isUnfinished ? Self.shortPause : Self.pause)
            }
        }
    }

    private static let pause: UInt32 = 25_000
    private static let shortPause: UInt32 = 5_000

    private func needsRepair(
        _ change: UnifiedFile.Replacement, with written: UnifiedDocument?
    ) throws(CredentialStoreFailure) -> Bool {
        if written == nil, file.holds(change.bytes) { return false }
        return Self.repair(of: change, with: written, in: try settled()) != nil
    }

    private func repair(
        _ change: UnifiedFile.Replacement, with written: UnifiedDocument?, seconds: Double
    ) throws(CredentialStoreFailure) -> UnifiedFile.Replacement? {
        var lock = patience.lock
        lock.seconds = min(lock.seconds, seconds)
        return try locked(lock) { () throws(CredentialStoreFailure) in
            try replace { Self.repair(of: change, with: written, in: $0) }
        }
    }

    /// The content with the change, if all of it is undone, and with what another program wrote to the replaced file.
    /// `nil` if nothing is missing, or if the file was removed.
    private static func repair(
        of change: UnifiedFile.Replacement, with written: UnifiedDocument?, in current: UnifiedFile.Content
    ) -> UnifiedPayload? {
        guard current.file != nil else { return nil }
        let before = change.before.payload.document
        var payload = current.payload
        let isUndone =
            payload.document.lacks(change.after.document, since: before)
            && payload.document.merge(change.after.document, since: before)
        let isMissing = written.map { payload.document.merge($0, since: before) } ?? false
        return isUndone || isMissing ? payload : nil
    }
}

/// A program that writes to a file after it was replaced.
private struct LateWriter {
    private let file: UnifiedFile
    private let before: UnifiedFile.Content
    private var watch: SettlingWatch

    init(_ before: UnifiedFile.Content, of file: UnifiedFile, _ patience: SettlingWatch.Patience) {
        self.file = file
        self.before = before
        watch = SettlingWatch(path: file.path, patience: patience)
    }

    /// What it wrote, and whether it is about to write more.
    mutating func look() -> (document: UnifiedDocument?, isUnfinished: Bool) {
        guard let opened = before.file, let now = try? file.content(of: opened), now.bytes != before.bytes else {
            return (nil, false)
        }
        guard now.flaw != nil else { return (now.payload.document, false) }
        switch watch.verdict(on: now.version) {
        case .again: return (nil, true)
        case .final, .unfinished: return (nil, false)
        }
    }
}
