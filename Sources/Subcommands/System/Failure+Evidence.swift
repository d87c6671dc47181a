import MSAL

extension Failure {
    static let nothingToCompare = nothingToCompare("One of the inputs")

    static func nothingToCompare(_ input: String) -> Failure {
        Failure(
            .failed, name: "noComparison", "\(input) contains no sign-in requests.",
            nextStep: "Use two recordings (HAR) or logs of a sign-in.")
    }
}
