import TerminalUI

/// The commands of the inspector.
extension Commands {
    static let inspecting = [
        Command(
            .inspect, [.character("f")], "Show what went over the wire, step by step.", hint: "flow",
            in: [.claims, .failure], if: hasFlow),
        Command(
            .inspect, [.character("f")], "Show what goes over the wire, step by step.",
            in: [.accounts, .signIn, .silent], if: hasFlow),
        Command(
            .openExchange, [.enter], "Show every parameter of the selected step, and what it means.",
            hint: "parameters", in: [.inspector], if: isExchange),
        Command(
            .olderFlow, [.character("[")], "Show the flow before this one.", in: [.inspector], if: hasNeighbour(-1)),
        Command(
            .newerFlow, [.character("]")], "Show the flow after this one.", in: [.inspector], if: hasNeighbour(1)),
        Command(
            .saveText, [.character("T")], "Write the flow, without secrets, to a text file that only you can read.",
            hint: "text", in: [.inspector], if: hasCopyable),
        Command(
            .saveHAR, [.character("H")],
            "Write the flow, without secrets, to a HAR 1.2 file, as browsers' developer tools read it.", hint: "HAR",
            in: [.inspector], if: hasCopyable),
        Command(
            .reveal, [.character("v")], "Show the selected value, which is secret, or hide it again.", hint: "reveal",
            in: [.exchange], if: isRedacted),
        Command(
            .detailsDown, [.character("J")], "Scroll the details down.", hint: "more", hintedIf: hasMoreDetails,
            group: .moving, in: [.inspector, .exchange], if: canScrollDetails),
        Command(
            .detailsUp, [.character("K")], "Scroll the details up.", group: .moving, in: [.inspector, .exchange],
            if: canScrollDetails),
        Command(
            .nextStep, [.right, .character("l"), .tab], "Show the next exchange.", hint: "next", in: [.exchange],
            if: hasExchange(after: true)),
        Command(
            .previousStep, [.left, .character("h"), .backTab], "Show the exchange before.", in: [.exchange],
            if: hasExchange(after: false)),
    ]

    private static let hasFlow: @Sendable (Model) -> Availability = { model in
        model.inspectable == nil ? .unavailable("Nothing was sent for this screen.") : .available
    }

    private static let isExchange: @Sendable (Model) -> Availability = { model in
        guard let inspector = model.inspector, let rows = model.inspected?.rows,
            rows.indices.contains(inspector.selection)
        else { return .unavailable("Nothing has happened yet.") }
        return rows[inspector.selection].exchange == nil
            ? .unavailable("This step sent nothing: it has no parameters.") : .available
    }

    private static let hasMoreDetails: @Sendable (Model) -> Bool = { model in
        model.inspectorDetails.map { $0.offset < $0.last } ?? false
    }

    private static let canScrollDetails: @Sendable (Model) -> Availability = { model in
        model.inspectorDetails.map { $0.last > 0 } ?? false
            ? .available : .unavailable("The details are all on the screen.")
    }

    private static let isRedacted: @Sendable (Model) -> Availability = { model in
        model.inspectedParameter?.isRedacted ?? false ? .available : .unavailable("Nothing of this value is hidden.")
    }

    private static func hasNeighbour(_ distance: Int) -> @Sendable (Model) -> Availability {
        { model in
            model.inspector.flatMap { model.traces.neighbour(of: $0.flow, by: distance) } == nil
                ? .unavailable(distance < 0 ? "This is the oldest flow." : "This is the newest flow.") : .available
        }
    }

    private static func hasExchange(after isAfter: Bool) -> @Sendable (Model) -> Availability {
        { model in
            model.rowOfExchange(after: isAfter) == nil
                ? .unavailable(isAfter ? "This is the last exchange." : "This is the first exchange.") : .available
        }
    }
}
