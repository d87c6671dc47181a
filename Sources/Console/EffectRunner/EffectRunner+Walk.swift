import AuthEngine
import Foundation

/// The steps of a guided walk, performed with the scenario's applications.
extension EffectRunner {
    func openScenario(_ name: String) async throws -> ProgramProfile {
        guard let open = services.openScenario else { throw NoApplication() }
        let opened = try await open(name)
        applications.use(opened)
        return opened.profile
    }

    func post(_ id: EffectID, _ step: GuidedWalk.Step, _ isScripted: Bool, _ mailbox: Mailbox) async {
        switch step.action {
        case .remove:
            let outcome = outcome { try remove(of: step) }
            mailbox.post(.removed(id, outcome, at: now()))
        case .wait(let seconds):
            do { try await applications.opened?.wait(seconds) } catch { return }
            mailbox.post(.waited(id))
        case .signIn, .acquireSilently, .read:
            let outcome = await outcome { try await acquire(id, step, isScripted, mailbox) }
            mailbox.post(.acquired(id, outcome, at: now()))
        }
    }

    /// Lets the scenario's user complete a page.
    func act(for id: EffectID, on page: URL, _ step: Int?, _ isCode: Bool, _ mailbox: Mailbox) async {
        let outcome = await outcome { () async throws -> Message.Removed in
            guard let opened = applications.opened else { throw NoApplication() }
            try await opened.act(page, step, isCode) { mailbox.post(.pageVisited(id, $0)) }
            return Message.Removed()
        }
        mailbox.post(.acted(id, outcome))
    }

    private func acquire(
        _ id: EffectID, _ step: GuidedWalk.Step, _ isScripted: Bool, _ mailbox: Mailbox
    ) async throws -> Acquisition {
        let application = try ready(step.application)
        switch step.action {
        case .signIn(.device):
            let parameters = deviceCodeParameters(id, step.scopes, mailbox)
            try fill(parameters, of: application, step, id, mailbox)
            return acquisition(try await application.acquireToken(with: parameters), of: step)
        case .signIn(let method):
            let parameters = MSALInteractiveTokenParameters(
                scopes: step.scopes, webviewParameters: presentation(of: isScripted ? .paste : method))
            parameters.loginHint = step.username
            try fill(parameters, of: application, step, id, mailbox)
            return acquisition(try await application.acquireToken(with: parameters), of: step)
        case .acquireSilently, .remove, .wait, .read:
            let parameters = MSALSilentTokenParameters(
                scopes: step.scopes, account: try applications.account(named: step.username, in: application))
            parameters.forceRefresh = step.isForced
            try fill(parameters, of: application, step, id, mailbox)
            return acquisition(try await application.acquireTokenSilent(with: parameters), of: step)
        }
    }

    private func acquisition(_ result: MSALResult, of step: GuidedWalk.Step) -> Acquisition {
        applications.note(result.account, named: step.username)
        return Acquisition(result)
    }

    private func fill(
        _ parameters: MSALTokenParameters, of application: MSALPublicClientApplication, _ step: GuidedWalk.Step,
        _ id: EffectID, _ mailbox: Mailbox
    ) throws {
        parameters.authority = try step.segment.flatMap(applications.authority)
        parameters.claimsRequest = try step.claims.map { try MSALClaimsRequest(jsonString: $0) }
        follow(parameters, of: application, id, mailbox)
    }

    private func remove(of step: GuidedWalk.Step) throws -> Message.Removed {
        let application = try ready(step.application)
        try application.remove(try application.account(forUsername: step.username))
        return Message.Removed()
    }
}
