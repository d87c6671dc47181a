/// What became of an address that was handed to another process of the same user. An addition of this library.
public enum MSALHandOverOutcome: String, Sendable, CaseIterable {
    /// The sign-in that waited for it goes on with it.
    case taken
    /// The sign-in had its answer already: an address counts once.
    case alreadyTaken
    /// Sign-ins wait for the address, but not with this `state`: it belongs to one that is over, or to nobody.
    case otherSignIn
    /// Sign-ins wait, all of them at other addresses.
    case otherAddress
    /// A process that waits did not answer in time. When it is only stopped, it gets the address as it goes on.
    case noAnswer
    /// No process of this user waits for the address.
    case nobodyWaits
}
