import AuthEngine

/// How what happens on its own is put into lines: the same words that the commands have for it.
package struct PlainTeller: Sendable {
    package var step: @Sendable (MSALFlowEvent, SignInWay) -> [String]
    package var code: @Sendable (MSALDeviceCode) -> String

    package init(
        step: @escaping @Sendable (MSALFlowEvent, SignInWay) -> [String],
        code: @escaping @Sendable (MSALDeviceCode) -> String
    ) {
        self.step = step
        self.code = code
    }
}
