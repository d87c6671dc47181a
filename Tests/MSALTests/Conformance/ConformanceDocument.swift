import DemoAuthority

/// `docs/conformance.md`: fault, requirement, result and error text.
struct ConformanceDocument {
    private var rows: [String] = []

    mutating func add(_ fault: Fault, _ ending: ConformanceRun.Ending) {
        let verdict = ending.demand == fault.demand ? "✓ \(ending.demand.past)" : "✗ \(ending.demand.past)"
        rows.append(
            "| `\(fault.name)` | \(fault.source ?? "–") | \(fault.demand.rawValue) | \(verdict) | \(reason(ending)) |")
    }

    private func reason(_ ending: ConformanceRun.Ending) -> String {
        guard case .rejected(let reason) = ending else { return "" }
        // Each run creates new keys.
        return reason.replacing(/[A-Za-z0-9_-]{43}/, with: "…").replacing("|", with: "\\|")
    }

    var markdown: String {
        """
        # Conformance

        For developers and security reviewers: how Keyturn handles each fault of an authority. To test another client with
        the same faults, run `keyturn authority --fault FAULT`.

        "Source" names the specification, or a module of the OpenID Foundation's conformance plans for relying parties
        (basic, config, refresh and form post), without its prefix `oidcc-client-test-`. Tests marked `–` are
        Keyturn's own. "Accept" means that the sign-in must succeed, because it doesn't need the faulty part, or the change
        is allowed. Error texts can contain remains such as `[2J`, because Keyturn removes control characters. One test runs
        each row with the response modes `query` and `form_post`, and writes this page. What the conformance suite of the
        Model Context Protocol requires of clients is tested by `Tests/EndToEnd/test_mcp_conformance.py`.

        | Fault | Source | Required | Keyturn | Error text |
        |---|---|---|---|---|
        \(rows.joined(separator: "\n"))

        """
    }
}

extension Fault.Demand {
    fileprivate var past: String {
        switch self {
        case .reject: "rejects"
        case .accept: "accepts"
        case .ignore: "keeps waiting"
        }
    }
}
