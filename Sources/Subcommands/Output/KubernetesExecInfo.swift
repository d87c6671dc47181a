import JSON
import MSAL
import TerminalUI

/// The request of a Kubernetes client (`KUBERNETES_EXEC_INFO`, an `ExecCredential` of client.authentication.k8s.io).
struct KubernetesExecInfo: Sendable, Equatable {
    var apiVersion = "client.authentication.k8s.io/v1"
    /// Whether a user can sign in.
    var isInteractive = true

    /// Uses the defaults if the variable is missing or invalid.
    init(_ environment: [String: String]) {
        guard let text = environment["KUBERNETES_EXEC_INFO"],
            let request = try? KubernetesExecInfo(JSONValue(parsing: text))
        else { return }
        self = request
    }

    private init(_ request: JSONValue) throws {
        apiVersion = try request.required("apiVersion", \.string)
        let spec = try request.optional("spec", \.object)
        isInteractive = try spec.map(JSONValue.object)?.optional("interactive", \.bool) ?? true
    }

    /// The supported versions, which have the same members.
    private static let known = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"]

    /// Rejects an unsupported version before any sign-in.
    func checkVersion() throws(Failure) {
        guard !Self.known.contains(apiVersion) else { return }
        throw Failure(
            .configuration, name: "execInfoVersion",
            "Unsupported ExecCredential version: \(Printable.sanitize(String(apiVersion.prefix(80)))).",
            nextStep: "Set 'apiVersion: \(Self.known[0])' under 'exec' in the kubeconfig, "
                + "or update the client: v1 needs kubectl 1.22.")
    }
}
