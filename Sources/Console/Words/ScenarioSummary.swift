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
