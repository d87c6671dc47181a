/// One scenario as the picker lists it.
package struct ScenarioSummary: Sendable, Equatable {
    /// By which it is asked for.
    package var name: String
    package var title: String
    package var story: String

    package init(name: String, title: String, story: String) {
        self.name = name
        self.title = title
        self.story = story
    }
}
