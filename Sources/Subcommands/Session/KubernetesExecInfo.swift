import Foundation

/// What a Kubernetes client says to the credential plugin that it runs (`KUBERNETES_EXEC_INFO`, an `ExecCredential` of
/// client.authentication.k8s.io).
struct KubernetesExecInfo: Sendable, Equatable {
    /// The version in which it wants its answer.
    var apiVersion = "client.authentication.k8s.io/v1"
    /// Whether a person can be asked.
    var isInteractive = true

    /// Without the variable, or with one that is none: the stable version, and a person.
    init(_ environment: [String: String]) {
        guard let text = environment["KUBERNETES_EXEC_INFO"],
            let document = try? JSONDecoder().decode(Document.self, from: Data(text.utf8))
        else { return }
        if Self.known.contains(document.apiVersion) { apiVersion = document.apiVersion }
        isInteractive = document.spec?.interactive ?? true
    }

    /// These have the same members.
    private static let known = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"]

    private struct Document: Decodable {
        struct Spec: Decodable { var interactive: Bool? }
        var apiVersion: String
        var spec: Spec?
    }
}
