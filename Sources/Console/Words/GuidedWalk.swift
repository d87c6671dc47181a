/// A scenario that a person walks through: what to do next, what to look at afterwards, what it teaches.
package struct GuidedWalk: Sendable, Equatable {
    package struct Step: Sendable, Equatable {
        package enum Action: Sendable, Equatable {
            case signIn(SignInWay)
            case acquireSilently
            case remove
            /// The person waits, and says when they have.
            case wait
        }

        package var action: Action
        /// What it does, as a sentence without a full stop.
        package var instruction: String
        /// What to look at when it is done.
        package var look: String
        package var username: String
        package var scopes: [String]
        /// Another authority's path.
        package var segment: String?
        /// A claims request as JSON.
        package var claims: String?
        package var isForced: Bool
        /// Which of the applications that share the cache asks.
        package var application: Int
        /// The code of the error that it is to end in; nil: in none.
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
    /// How many steps are done.
    package var done = 0
    /// The effect of the step that is under way.
    package var running: EffectID?
    /// Why the next step, when it was tried, did not end as the scenario says.
    package var obstacle: String?

    package init(title: String, story: String, steps: [Step], teaches: String) {
        self.title = title
        self.story = story
        self.steps = steps
        self.teaches = teaches
    }

    package var next: Step? { steps.indices.contains(done) ? steps[done] : nil }

    /// That the walk stopped at the next step, and why.
    var stop: String? { obstacle.map { "Step \(done + 1) did not end as the scenario says. \($0)" } }

    /// The step that was done last.
    package var last: Step? { done > 0 ? steps[done - 1] : nil }

    /// Takes note that an effect has ended; one of another step changes nothing. What comes after a step that ended otherwise
    /// than the scenario says would not be what it tells of, so that the step stays the next one.
    mutating func end(_ id: EffectID, _ failure: ErrorReport?) {
        guard running == id, let step = next else { return }
        running = nil
        guard failure?.code != step.expectedFailure else { return goOn() }
        obstacle = failure?.headline ?? "It should have been refused."
    }

    mutating func begin(_ id: EffectID) {
        running = id
        obstacle = nil
    }

    /// Counts the next step as done.
    mutating func goOn() {
        done += 1
        obstacle = nil
    }
}
