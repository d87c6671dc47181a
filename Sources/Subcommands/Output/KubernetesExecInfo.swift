import Foundation
import TerminalUI

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
        apiVersion = document.apiVersion
        isInteractive = document.spec?.interactive ?? true
    }

    /// These have the same members.
    private static let known = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"]

    /// Refuses a version that this program does not write, before a sign-in that would be for nothing.
    func checkVersion() throws(CommandFailure) {
        guard !Self.known.contains(apiVersion) else { return }
        throw CommandFailure(
            .configuration, name: "execInfoVersion",
            "The Kubernetes client requests ExecCredential version \(Printable.sanitize(String(apiVersion.prefix(80)))), "
                + "which Keyturn does not write.",
            nextStep: "Set 'apiVersion: \(Self.known[0])' under 'exec' in the kubeconfig, "
                + "or update the client: v1 needs kubectl 1.22.")
    }

    private struct Document: Decodable {
        struct Spec: Decodable { var interactive: Bool? }
        var apiVersion: String
        var spec: Spec?
    }
}
