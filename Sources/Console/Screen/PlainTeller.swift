import AuthEngine
import Foundation

/// Formats progress as lines, with the same words as the commands.
package struct PlainTeller: Sendable {
    /// - Parameter page: the sign-in page, once opened.
    package typealias Step = @Sendable (MSALFlowEvent, SignInMethod, MethodProposal, _ page: URL?) -> [String]

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
