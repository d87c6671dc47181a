/// How a pasted answer was taken. An addition of this library.
public enum MSALPastedResponse: Sendable, Equatable {
    /// It was a whole address, and its `state` is that of the sign-in that waits.
    case address
    /// It was a code alone. Its `state` could not be checked; that it belongs to the sign-in is left to the code verifier
    /// and the nonce.
    case bareCode
}
