import Console
import Diagnosis
import Foundation

/// The steps of the scenarios, with their instructions.
extension GuidedWalk.Step {
    static func signIn(
        _ username: String, by method: SignInMethod = .browser, scopes: [String] = [], segment: String? = nil,
        resource: String? = nil, claims: String? = nil, application: Int = 0, unticks unticked: [String] = [],
        declines: Bool = false, hesitates hesitation: Double = 0,
        gives expected: Expectation = .token(isFromCache: false),
        show shownClaims: [String] = [], look: String
    ) -> GuidedWalk.Step {
        let target = (method == .device ? " with a code" : "") + (resource.map { " to \($0)" } ?? "")
        let place = segment.map { ", at /\($0)" } ?? ""
        let choice =
            declines
            ? "; decline" : unticked.isEmpty ? "" : "; untick \(unticked.joined(separator: " and ")), then accept"
        var step = GuidedWalk.Step(
            .signIn(method), instruction: "Sign in\(target) as \(username)\(place)\(choice)", look: look,
            username: username, scopes: scopes, segment: segment, resource: resource, claims: claims,
            application: application, expected: expected, shownClaims: shownClaims)
        step.unticked = unticked
        step.declines = declines
        step.hesitation = hesitation
        return step
    }

    static func silently(
        _ username: String, scopes: [String] = [], segment: String? = nil, resource: String? = nil,
        claims: String? = nil, isForced: Bool = false, application: Int = 0, isUrgent: Bool = false,
        gives expected: Expectation,
        show shownClaims: [String] = [], look: String
    ) -> GuidedWalk.Step {
        let details = [
            resource.map { "for \($0)" }, scopes.isEmpty ? nil : "for \(scopes.joined(separator: " "))",
            segment.map { "at /\($0)" },
            claims == nil ? nil : "with the claims that the API requires", isForced ? "with a forced refresh" : nil,
            application == 0 ? nil : "in application \(application + 1)",
        ].compactMap(\.self).map { ", \($0)" }.joined()
        return GuidedWalk.Step(
            .acquireSilently, instruction: "Get \(name(username))'s token silently\(details)", look: look,
            username: username, scopes: scopes, segment: segment, resource: resource, claims: claims,
            isForced: isForced,
            application: application, expected: expected, shownClaims: shownClaims, isUrgent: isUrgent)
    }

    static func call(_ path: String, as username: String, isUrgent: Bool = false, look: String) -> GuidedWalk.Step {
        GuidedWalk.Step(
            .call(APITarget(address: path), by: .browser), instruction: "Call \(path) as \(username)", look: look,
            username: username, expected: .status(200), isUrgent: isUrgent)
    }

    static func remove(
        _ username: String, application: Int = 0, revokes: Bool = false, look: String
    ) -> GuidedWalk.Step {
        var step = GuidedWalk.Step(
            .remove,
            instruction: "Remove \(name(username))'s account" + (revokes ? " and revoke its refresh token" : ""),
            look: look, username: username, application: application)
        step.revokes = revokes
        return step
    }

    static func wait(_ username: String, seconds: Int, look: String) -> GuidedWalk.Step {
        GuidedWalk.Step(
            .wait(seconds: Double(seconds)), instruction: "Wait \(seconds) seconds", look: look, username: username)
    }

    static func read(
        _ username: String, _ diagram: SequenceDiagram, _ instruction: String, look: String
    ) -> GuidedWalk.Step {
        GuidedWalk.Step(.read(diagram), instruction: instruction, look: look, username: username)
    }

    /// The user's name, as the stories write it. The name in the directory may be in another script.
    private static func name(_ username: String) -> String {
        username.prefix(1).uppercased() + username.prefix { $0 != "@" }.dropFirst()
    }
}
