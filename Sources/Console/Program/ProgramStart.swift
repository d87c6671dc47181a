import AuthEngine

/// How the program starts.
package enum ProgramStart: Sendable {
    case ready(MSALPublicClientApplication, ProgramProfile)
    /// No configuration; starts with the set-up.
    case unconfigured
    case scenario(OpenedScenario)
    case problem(StartProblem, configPath: String)
}
