import AuthEngine

/// What the program starts with.
package enum ProgramStart: Sendable {
    case ready(MSALPublicClientApplication, ProgramProfile)
    /// There is no configuration: the program begins with the set-up.
    case unconfigured
    case scenario(OpenedScenario)
    case problem(StartProblem, configPath: String)
}
