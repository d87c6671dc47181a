/// What the token store did.
extension FailureDescription {
    static func store(_ failure: CredentialStoreFailure) -> FailureDescription {
        FailureDescription(.internalErrorUnexpected, failure.reason, next: failure.kind.nextStep)
    }
}

extension CredentialStoreFailure.Kind {
    fileprivate var nextStep: String {
        switch self {
        case .setAside(let name): "It was kept as \(name). Sign in again; a new store is made."
        case .unsafePermissions: "Make the file and its folder yours alone (0600 and 0700), and no links."
        case .keyUnavailable: "Make the key readable again, or move the store away and sign in again."
        case .busy: "Another program holds the store: try again in a moment."
        case .io: "Check the disk and the permissions of the folder."
        }
    }
}
