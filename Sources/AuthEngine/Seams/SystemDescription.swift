/// What this machine is, for those who read an authority's logs or ours.
package struct SystemDescription: Sendable, Equatable {
    package var name: String
    /// The release of the kernel, when known.
    package var version: String?

    package init(name: String = "Linux", version: String? = nil) {
        self.name = name
        self.version = version
    }
}
