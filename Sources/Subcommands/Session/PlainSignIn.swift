import Console
import Foundation
import MSAL

/// A sign-in told on a plain terminal, by whichever way.
struct PlainSignIn: Sendable {
    var way: SignInWay
    var wish: TokenWish
    var account: MSALAccount?
    var loginHint: String?
    var prompt: MSALPromptType = .default
    var settings: Settings

    func result(of application: MSALPublicClientApplication, in surroundings: Surroundings) async throws -> MSALResult {
        try await interruptible {
            switch way {
            case .browser: try await browse(application, surroundings, opening: surroundings.browser)
            case .paste: try await paste(application, surroundings)
            case .device: try await enterCode(application, surroundings)
            }
        }
    }

    private func browse(
        _ application: MSALPublicClientApplication, _ surroundings: Surroundings,
        opening open: (@Sendable (URL) async throws -> Void)?
    ) async throws -> MSALResult {
        let parameters = try interactive(MSALWebviewParameters(in: surroundings, opening: open))
        let narrator = FlowNarrator(way: way, proposal: WayProposal(surroundings.machine))
        tell(narrator, parameters, surroundings)
        return try await application.acquireToken(with: parameters)
    }

    /// What is pasted ends the wait; so does the end of the input, because nothing can be pasted any more.
    private func paste(
        _ application: MSALPublicClientApplication, _ surroundings: Surroundings
    ) async throws -> MSALResult {
        let (invitations, invited) = AsyncStream.makeStream(of: Void.self)
        return try await withThrowingTaskGroup(of: MSALResult?.self) { group in
            group.addTask { try await browse(application, surroundings, opening: { _ in invited.yield() }) }
            group.addTask {
                // Nothing can be pasted before the person has the address; what is typed ahead waits.
                for await _ in invitations { break }
                for await text in surroundings.pastes() where handOver(text, surroundings) { return nil }
                try Task.checkCancellation()
                throw CommandFailure(
                    .cancelled, name: "nothingPasted", "The input ended before an answer was pasted.",
                    nextStep: "Run the command in a terminal, or use '--way device'.")
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }

    /// Whether a piece of input was the answer. If not, the person hears why and can paste again.
    private func handOver(_ text: String, _ surroundings: Surroundings) -> Bool {
        do {
            if try MSALPublicClientApplication.handlePastedResponse(text) == .bareCode, !settings.isQuiet {
                surroundings.tell("  A code alone: the checks of its address are left out.\n")
            }
            return true
        } catch {
            let report = FailureReport(error)
            surroundings.tell("  ! \(report.description) \(report.nextStep)\n")
            return false
        }
    }

    private func enterCode(
        _ application: MSALPublicClientApplication, _ surroundings: Surroundings
    ) async throws -> MSALResult {
        let notice = DeviceCodeNotice(
            drawsPicture: surroundings.hasTerminal && !surroundings.machine.isDumb && !settings.isPlain,
            usesASCII: settings.usesASCII || !surroundings.usesUTF8)
        // The code is the whole point, so it is shown even to those who want no other word.
        let parameters = MSALDeviceCodeParameters(scopes: wish.scopes) { code in
            surroundings.tell(notice.text(code, at: surroundings.now()))
        }
        parameters.account = account
        try wish.fill(parameters)
        tell(FlowNarrator(way: way), parameters, surroundings)
        return try await application.acquireToken(with: parameters)
    }

    private func interactive(
        _ webview: MSALWebviewParameters
    ) throws -> MSALInteractiveTokenParameters {
        let parameters = MSALInteractiveTokenParameters(scopes: wish.scopes, webviewParameters: webview)
        parameters.account = account
        parameters.loginHint = loginHint
        parameters.promptType = prompt
        try wish.fill(parameters)
        return parameters
    }

    private func tell(_ narrator: FlowNarrator, _ parameters: MSALParameters, _ surroundings: Surroundings) {
        guard !settings.isQuiet || way == .paste else { return }
        let isQuiet = settings.isQuiet
        parameters.flowEventHandler = { event in
            if isQuiet, event.authorizationURL == nil { return }
            for line in narrator.lines(event) { surroundings.tell(line + "\n") }
        }
    }
}
