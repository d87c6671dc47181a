import MSAL

extension Failure {
    static let nothingInCommon = Failure(
        .failed, name: "noComparison", "The inputs have nothing in common that can be compared.",
        nextStep: "Use two recordings (HAR) or logs of a sign-in, or two configurations of one product.")

    static func nothingToCompare(_ input: String) -> Failure {
        Failure(
            .failed, name: "noComparison", "\(input) contains no sign-in requests or values to compare.",
            nextStep: "Use two recordings (HAR) or logs of a sign-in.")
    }
}
