import AuthEngine
import Foundation

/// How what happens on its own is put into lines: the same words that the commands have for it.
package struct PlainTeller: Sendable {
    /// - Parameter page: of the sign-in, once it was opened.
    package typealias Step = @Sendable (MSALFlowEvent, SignInWay, WayProposal, _ page: URL?) -> [String]

    package var step: Step
    package var code: @Sendable (MSALDeviceCode) -> String

    package init(
        step: @escaping Step,
        code: @escaping @Sendable (MSALDeviceCode) -> String
    ) {
        self.step = step
        self.code = code
    }
}
