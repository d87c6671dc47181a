import MSAL

extension Failure {
    static let nothingToCompare = Failure(
        .failed, name: "noComparison", "One of the inputs contains no sign-in requests.",
        nextStep: "Use two recordings (HAR) or logs of a sign-in.")
}
