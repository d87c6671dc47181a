/// Comparisons of two recordings.
extension EffectRunner {
    func compare(_ id: EffectID, _ text: String, _ other: String?, _ mailbox: Mailbox) {
        startHarmless(id) { [self] in
            mailbox.post(.compared(id, await outcome { try await services.compare(text, other) }))
        }
    }
}
