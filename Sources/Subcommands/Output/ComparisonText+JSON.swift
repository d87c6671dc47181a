import Console
import Diagnosis
import JSON

extension ComparisonText {
    /// New members can appear; existing ones are stable.
    var json: String {
        JSONValue(members: [
            "isDifferent": .bool(comparison.isDifferent), "verdict": .string(verdict),
            "steps": .array(comparison.steps.map(Self.json)),
        ]).document
    }

    private static func json(of step: Comparison.Step) -> JSONValue {
        JSONValue(members: [
            "title": .string(step.title), "first": step.first.map(JSONValue.string),
            "second": step.second.map(JSONValue.string),
            "differences": .array(
                step.differences.map { difference in
                    [
                        "name": .string(difference.name), "first": .string(difference.first),
                        "second": .string(difference.second),
                    ]
                }),
        ])
    }
}
