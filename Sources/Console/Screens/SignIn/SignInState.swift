import Foundation
import MSAL
import TerminalUI

package struct SignInState: SigningInScreen, WatchingScreen {
    package var id: EffectID
    /// The account that must sign in again; nil for any account.
    package var account: AccountSummary?
    package let request: SignInRequest
    package private(set) var chain: SignInChain
    package let rejections: [SignInRejection]
    package var progress: FlowProgress
    package var deviceCode: ShownDeviceCode?
    package var pagePicture: QRCode?
    /// Whether only the QR code is shown, which the paste line replaces.
    package var showsPictureAlone = false
    private var showsSteps = false
    var line = PasteLine() { didSet { if line.text != nil { showsPictureAlone = false } } }
    /// The address typed so far; nil while the paste line is closed. Open by itself if only a paste is awaited.
    package var pasted: String? { line.text }

    /// - Parameter chain: the methods to try (default: the request's method alone).
    package init(
        id: EffectID, account: AccountSummary? = nil, request: SignInRequest, chain: SignInChain? = nil,
        rejections: [SignInRejection] = []
    ) {
        (self.id, self.account, self.request, self.rejections) = (id, account, request, rejections)
        self.chain = chain ?? SignInChain([request.method], otherwise: [])
        progress =
            switch request.method {
            case .device: .deviceCode
            case .broker: .broker
            case .browser, .paste: .interactive
            }
    }

    package var method: SignInMethod { request.method }

    private var turn: Int { rejections.count }

    private var picture: QRCode? { pending.picture }

    /// What another method that takes over ends.
    private var outcomeOfWait: String? {
        switch method {
        case .device: deviceCode.map { _ in "Keyturn no longer waits for the previous code." }
        case .browser, .paste: progress.authorizationURL.map { _ in "The previous page is no longer valid." }
        case .broker: nil
        }
    }

    /// The same request by another method.
    private func request(by method: SignInMethod) -> SignInRequest {
        var request = request
        request.method = method
        return request
    }

    static var howToOpen: String { "Sign in." }
    package enum Layer: String, KeyLayer { case waiting = "Sign in", pasting = "Paste the final URL" }

    package var layer: Layer { pasted == nil ? .waiting : .pasting }

    func title(_ context: Context) -> String { account.map { "Sign in as \($0.displayName)" } ?? "Sign in" }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        if showsPictureAlone, let picture {
            // Over the title too.
            let window = surface.bounds.splitBottom(1).rest
            surface.fill(window)
            PictureView(picture, code: deviceCode?.code, context).draw(on: &surface, in: window)
        } else {
            pending.draw(on: &surface, in: rect, context)
        }
    }

    private var pending: PendingSignIn {
        PendingSignIn(
            progress: progress, method: method, rejections: rejections, deviceCode: deviceCode,
            pagePicture: pagePicture, paste: line, showsSteps: showsSteps)
    }

    func waitingPage(_ context: Context) -> URL? { deviceCode?.code.page ?? progress.authorizationURL }

    static let commands: [Command] = waiting.only(in: .waiting) + pasting.only(in: .pasting) + [interrupt]

    private static let pasting: [Command] = [
        sendPaste,
        Command(
            "copyURL", [.control("y")], "Copy the sign-in URL; the field stays open.", hint: "copy URL",
            inLines: .absent, do: copyPage),
        stopPasting,
    ]

    private static let waiting: [Command] =
        otherMethods(inLines: .choice) { $0.method == .device ? "A device code needs no paste." : "No URL yet." } + [
            Command(
                "picture", .verb(.picture), "Switch between the QR code and the text.", hint: "QR code",
                inLines: .absent, if: hasPicture, do: changing { $0.showsPictureAlone.toggle() }),
            Command(
                "act", .verb(.demoUser), "Let a demo user sign in, and watch.", hint: "demo user",
                inLines: .whenAvailable, if: canAct
            ) { state, context in
                guard let page = state.waitingPage(context) else { return .none }
                let effect = context.watch(state.id, state.request, on: page)
                return Reaction(move: .replace(.walk(state.id)), effects: [effect])
            },
            inspect(goes: true), heldRequest { $0.id }, copy("Copy the device code, or else the sign-in URL."),
            Command(
                "copyAddress", .verb(.copyValue), "Copy the sign-in URL to the clipboard.",
                if: { Availability($0.waitingPage($1) != nil, else: "No URL yet.") }, do: copyPage),
            saveCopy(),
            Command(
                "allSteps", .verb(.details), "Show all steps, or only the current one.", hint: "steps",
                inLines: .absent, do: changing { $0.showsSteps.toggle() }),
        ] + finding() + [
            back("Cancel the sign-in and go back.", hint: "cancel"),
            Command("close", .verb(.close), closingCancels, group: .everywhere) { _, _ in .move(.leave) },
        ]

    private static func hasPicture(_ state: SignInState, _ context: Context) -> Availability {
        Availability(
            state.picture != nil,
            else: state.method == .browser
                ? "Only a device code or paste has a QR code." : "No QR code: the page is on this computer.")
    }

    private static func copyPage(_ state: inout SignInState, _ context: inout Context) -> Reaction {
        state.waitingPage(context).map { .start(context.work(.copy(CopiedText($0)))) } ?? .none
    }

    private static func canAct(_ state: SignInState, _ context: Context) -> Availability {
        if let walk = context.walk, !walk.isAdHoc {
            return .unavailable(
                walk.next == nil
                    ? "The scenario is complete. Sign in yourself, or choose another with \(Verb.scenarios.label)."
                    : "Go back, then press \(Verb.nextStep.label) for the scenario's next step.")
        }
        return context.canAct(on: state.waitingPage(context))
    }

    func canChange(to method: SignInMethod, _ context: Context) -> Availability {
        guard method != self.method else { return .unavailable("This sign-in already uses that method.") }
        return method == .device ? context.canUseCode : .available
    }

    func change(to method: SignInMethod, _ context: inout Context) -> Reaction {
        context.notice = outcomeOfWait.map { Notice(.quiet, $0) }
        return Reaction(move: .replace(.signIn(account, request(by: method))), effects: [context.cancel(id)])
    }

    mutating func stepBack(_ context: inout Context) -> Bool {
        guard pasted != nil || showsPictureAlone else { return false }
        showsPictureAlone = false
        line.hide()
        return true
    }

    mutating func follow(_ progress: Progress, _ context: inout Context) -> Reaction {
        note(progress)
        if case .deviceCodeOffer = progress {
            chain.keep(after: turn) { context.proposal.obstacle(to: $0) == nil }
        }
        if case .pagePicture(let picture) = progress { pagePicture = picture }
        // The user needs the code next, in another window.
        if case .deviceCode = progress, context.options.hasClipboard, var code = copyable(context) {
            code.isWanted = false
            return .start(context.work(.copy(code)))
        }
        guard case .event(let event) = progress else { return .none }
        let waited = awaitsPaste(context)
        self.progress.record(event)
        if !waited, awaitsPaste(context), method == .paste { line.open() }
        return chain.givesUp(at: turn, on: event) ? .start(.cancel(id)) : .none
    }

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        guard case .acquired(let outcome) = result else { return .none }
        switch outcome {
        case .success(let acquisition): return signedIn(acquisition, &context)
        case .failure(let report): return failed(report, &context)
        }
    }

    private func signedIn(_ acquisition: Acquisition, _ context: inout Context) -> Reaction {
        context.accounts.setFilter("")
        context.accounts.selectWhenRead = acquisition.account.identifier
        context.notice = Notice(.success, "Signed in as \(acquisition.account.displayName).")
        return Reaction(
            move: .replace(.claims(acquisition, id, isRefresh: false)),
            effects: [context.readAccounts()] + context.remember(scopes: acquisition.scopes), uncovers: true)
    }

    private func failed(_ report: Failure, _ context: inout Context) -> Reaction {
        if method == .broker, report.isBrokerAbsent { context.brokerRejection = report.reason }
        let isAbsent = context.proposal.obstacle(to: method) != nil
        let browser = progress.steps.first { method == .browser && $0.step == .openBrowser && $0.state == .failed }
        let rejection = chain.rejection(of: turn, report, isAbsent: isAbsent, browserFailure: browser?.detail)
        guard let rejection else {
            // Again with the first method, which may work by then.
            let request = request(by: chain.methods.first ?? method)
            return .move(.replace(.failure(report, .signIn(account, request, in: chain), id)))
        }
        let next = request(by: rejection.next)
        return .move(.replace(.signIn(account, next, in: chain, after: rejections + [rejection])))
    }

    var remarks: [String] { rejections.map(\.line) }

    func question(_ context: Context) -> LineQuestion? {
        guard awaitsPaste(context) else { return nil }
        return LineQuestion(
            prompt: "Paste the final URL, even if that page fails to load, or q to cancel", isSecret: true,
            isOptional: method != .paste, isDelivered: true)
    }

    mutating func reply(_ text: String, _ context: inout Context) -> Reaction {
        text == "q" ? .move(.leave) : text.isEmpty ? .none : paste(text, &context)
    }

    func toldPage(_ event: MSALFlowEvent, _ context: Context) -> URL? {
        context.profile?.isDemo == true ? nil : event.authorizationURL ?? progress.authorizationURL
    }
}

extension Destination {
    /// Signs in at the authority that an API names; nil for the profile's.
    static func signIn(to resource: URL?) -> Destination {
        Destination { context in
            var request = context.request(by: context.preferredMethod)
            request.resource = resource
            return Destination.signIn(nil, request, in: context.chain(startingWith: request.method)).open(&context)
        }
    }

    /// Starts a sign-in with the requested method, or the preferred one. A method that can't work is replaced by the
    /// usual ones, also when a failed sign-in is tried again.
    /// - Parameter asChosen: the methods to try in order (default: the request's method alone).
    static func signIn(
        _ account: AccountSummary? = nil, _ requested: SignInRequest? = nil, in asChosen: SignInChain? = nil,
        after rejections: [SignInRejection] = []
    ) -> Destination {
        Destination { context in
            var request = requested ?? context.request(by: context.preferredMethod, as: account)
            var chain = asChosen ?? SignInChain([request.method], otherwise: context.proposal.usual)
            if requested == nil || context.proposal.obstacle(to: request.method) != nil {
                request.method = context.preferredMethod
                chain = context.chain(startingWith: request.method)
            }
            let id = context.beginFlow(account.map { "Sign in as \($0.displayName)" } ?? "Sign in")
            return Opening(
                SignInState(id: id, account: account, request: request, chain: chain, rejections: rejections),
                [.work(id, .signIn(request))])
        }
    }
}
