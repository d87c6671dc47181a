import DemoAuthority

/// `docs/conformance.md`: switch, demand, verdict, and what a person reads.
struct ConformanceDocument {
    private var rows: [String] = []

    mutating func add(_ fault: Fault, _ ending: ConformanceRun.Ending) {
        let verdict = ending.demand == fault.demand ? "✓ \(ending.demand.past)" : "✗ \(ending.demand.past)"
        rows.append(
            "| `\(fault.name)` | \(fault.source) | \(fault.demand.rawValue) | \(verdict) | \(reason(ending)) |")
    }

    private func reason(_ ending: ConformanceRun.Ending) -> String {
        guard case .rejected(let reason) = ending else { return "" }
        // Keys are made anew for each run.
        return reason.replacing(/[A-Za-z0-9_-]{43}/, with: "…").replacing("|", with: "\\|")
    }

    var markdown: String {
        """
        # Conformance

        What this client does when an authority misbehaves. Each row is a switch of the built-in authority
        (`keyturn authority --fault SWITCH`), so it can be tried with any client. Where the demand is named by a short word,
        it is a module of the OpenID Foundation's conformance plans for relying parties (`oidcc-client-test-…`: basic, config,
        refresh and form post); the other demands are those of the specification named, or common sense before a hostile
        authority. A test plays every row by `query` and by `form_post`, and writes this page.

        | Switch | Where the demand comes from | Demand | This client | What the person reads |
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
        case .ignore: "waits on"
        }
    }
}
