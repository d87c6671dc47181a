import TerminalUI

/// What of a running flow is shown in so many rows: the fullest account that fits.
///
/// The address is worth most, because a person may have to open it by hand; at the built-in authority the people and
/// their passwords are, because the browser usually opens by itself. Then come the heading, the steps, their details.
struct FlowPlan {
    /// Steps, then hints.
    let above: [StyledLine]
    /// The address.
    let below: [StyledLine]

    /// Rows below which a piece of the address is of no use.
    private static let leastAddress = 3

    /// - Parameters:
    ///   - steps: from the fullest account of the steps to the one that runs alone.
    ///   - keepsHints: the hints are worth more than the end of the address.
    ///   - note: a line for so many that are left out.
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
