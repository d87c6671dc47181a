/// A scenario as a guided walk: the steps, what to look at after each, and the lesson.
package struct GuidedWalk: Sendable, Equatable {
    package struct Step: Sendable, Equatable {
        package enum Action: Sendable, Equatable {
            case signIn(SignInMethod)
            case acquireSilently
            case remove
            /// The user waits, then continues.
            case wait
        }

        package var action: Action
        /// The instruction, as a sentence without a full stop.
        package var instruction: String
        /// What to look at afterwards.
        package var look: String
        package var username: String
        package var scopes: [String]
        /// The path of another authority.
        package var segment: String?
        /// The claims request as JSON.
        package var claims: String?
        package var isForced: Bool
        /// The index of the requesting application among those that share the cache.
        package var application: Int
        /// The expected error code; nil if the step should succeed.
        package var expectedFailure: Int?

        package init(
            _ action: Action, instruction: String, look: String, username: String, scopes: [String] = [],
            segment: String? = nil, claims: String? = nil, isForced: Bool = false, application: Int = 0,
            expectedFailure: Int? = nil
        ) {
            self.action = action
            self.instruction = instruction
            self.look = look
            self.username = username
            self.scopes = scopes
            self.segment = segment
            self.claims = claims
            self.isForced = isForced
            self.application = application
            self.expectedFailure = expectedFailure
        }
    }

    package var title: String
    package var story: String
    package var steps: [Step]
    package var teaches: String
    /// The number of completed steps.
    package var done = 0
    /// The effect of the running step.
    package var running: EffectID?
    /// Why the last attempt at the next step had an unexpected outcome.
    package var obstacle: String?

    package init(title: String, story: String, steps: [Step], teaches: String) {
        self.title = title
        self.story = story
        self.steps = steps
        self.teaches = teaches
    }

    package var next: Step? { steps.indices.contains(done) ? steps[done] : nil }

    /// The sentence that says why the walk stopped.
    var stop: String? { obstacle.map { "Step \(done + 1) had an unexpected outcome. \($0)" } }

    /// The last completed step.
    package var last: Step? { done > 0 ? steps[done - 1] : nil }

    /// Ends the running step if `id` is its effect. After an unexpected outcome the step stays the next one, because
    /// the later steps depend on it.
    mutating func end(_ id: EffectID, _ failure: ErrorReport?) {
        guard running == id, let step = next else { return }
        running = nil
        guard failure?.code != step.expectedFailure else { return goOn() }
        obstacle = failure?.headline ?? "An error was expected."
    }

    mutating func begin(_ id: EffectID) {
        running = id
        obstacle = nil
    }

    /// Marks the next step as done.
    mutating func goOn() {
        done += 1
        obstacle = nil
    }
}

/// A scenario as listed.
package struct ScenarioSummary: Sendable, Equatable {
    /// The name to open it by.
    package var name: String
    package var title: String
    package var story: String

    package init(name: String, title: String, story: String) {
        self.name = name
        self.title = title
        self.story = story
    }
}
