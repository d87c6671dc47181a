import Diagnosis
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

    static let noRequests = Failure(
        .failed, name: "noDiagram", "The input contains no sign-in requests.",
        nextStep: "Use a browser's recording (HAR), or a debug log of MSAL Python or the Azure CLI.")

    /// Why a recorded sign-in can't be walked.
    /// - Parameter file: the name of the recording, as the user gave it.
    init(_ rejection: RecordedSignIn.Rejection, of file: String) {
        let recordAll = "Record the sign-in in the browser from its first page, and export all requests (HAR)."
        let (name, reason, nextStep) =
            switch rejection {
            case .noSignIn: ("noSignIn", "\(file) has no request of a sign-in.", recordAll)
            case .cutOff:
                ("cutOff", "\(file) is cut off before the sign-in.", "Export it again, and check the free disk space.")
            case .noBeginning(let role):
                (
                    "noBeginning",
                    "\(file) has a \(role.name), but not the parameters of the request that starts the sign-in.",
                    recordAll
                )
            case .otherFlow(let word):
                (
                    "otherFlow", "\(file) has another flow than a user's sign-in with a code: \(word).",
                    "Use the recording of a sign-in in the browser or with a device code."
                )
            }
        self.init(.failed, name: name, reason, nextStep: nextStep)
    }
}
