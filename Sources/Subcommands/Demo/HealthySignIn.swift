import Console
import Diagnosis
import MSAL

/// A sign-in at the built-in authority, to compare a failed one with.
struct HealthySignIn {
    private let surroundings: Surroundings

    init(in surroundings: Surroundings) { self.surroundings = surroundings }

    /// Plays the sign-in and compares a recording with its requests.
    func beside(_ recording: [UInt8], _ explainer: Explainer) async throws -> Comparison {
        let healthy = Array(try await archive().utf8)
        do throws(Explainer.Rejection) { return try explainer.compare(recording, with: healthy, as: .healthy) } catch {
            throw Failure.nothingInCommon
        }
    }

    private func archive() async throws -> String {
        let played = Played()
        try await DemoSession.use(in: surroundings) { session, surroundings in
            let opened = try await session.open(.plainSignIn).opened(withWalk: true)
            await played.keep(WalkPlayer(opened, now: surroundings.now).play(steps: 1).archive)
        }
        return await played.archive
    }

    private actor Played {
        private(set) var archive = ""

        func keep(_ archive: String) { self.archive = archive }
    }
}

extension EvidenceInput {
    /// Compares it with another recording of the same application.
    func compared(with other: EvidenceInput, by explainer: Explainer) throws(Failure) -> Comparison {
        do throws(Explainer.Rejection) { return try explainer.compare(bytes, with: other.bytes) } catch {
            throw .nothingInCommon
        }
    }
}
