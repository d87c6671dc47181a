import TerminalUI

/// The fullest content for a running flow that fits in the window.
///
/// The address comes first, because the user may have to open it by hand; in the demo, the users and passwords do,
/// because the browser usually opens by itself. Then come the heading, the steps and their details.
struct FlowPlan {
    /// The steps, then the hints.
    let above: [StyledLine]
    /// The lines of the address.
    let below: [StyledLine]

    /// The least number of address rows to show.
    private static let leastAddress = 3

    /// - Parameters:
    ///   - steps: versions of the step list, from the fullest to the current step alone.
    ///   - keepsHints: whether the hints matter more than the end of the address.
    ///   - note: the line that says how many address lines are left out.
    init(
        steps: [[StyledLine]], hints: [StyledLine], keepsHints: Bool, heading: [StyledLine], address: [StyledLine],
        height: Int, note: (Int) -> StyledLine
    ) {
        let heading = address.isEmpty ? [] : heading
        let current = steps.last ?? []
        let names = steps.dropLast().last ?? current
        typealias Choice = (above: [StyledLine], heading: [StyledLine], least: Int)
        let gap: [StyledLine] = address.isEmpty ? [] : [.empty]
        func whole(_ hints: [StyledLine]) -> (all: [Choice], current: [Choice]) {
            let all = steps.dropLast().map { ($0 + hints, heading, address.count) }
            let rest = [names, current].map { steps in
                [heading, gap, []].map { (steps + hints, $0, address.count) }
            }
            return (all + rest[0], rest[1])
        }
        let cropped: [Choice] = [names, current].map { ($0 + hints, [], min(Self.leastAddress + 1, address.count)) }
        let (full, bare) = (whole(hints), whole([]))
        let all = full.all + (keepsHints ? cropped : full.current) + bare.all + bare.current
        let best = all.first { $0.above.count + $0.heading.count + $0.least <= height } ?? (current, [], 0)
        above = best.above
        let room = height - best.above.count
        if best.heading.count + address.count <= room {
            below = best.heading + address
        } else {
            let kept = address.prefix(max(0, room - 1))
            below = kept + [note(address.count - kept.count)]
        }
    }
}
