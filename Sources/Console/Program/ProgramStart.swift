import AuthEngine

/// What the program starts with.
package enum ProgramStart: Sendable {
    case ready(MSALPublicClientApplication, ProgramProfile)
    case problem(StartProblem, configPath: String)
}
