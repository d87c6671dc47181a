import AuthEngine
import TerminalUI

extension SignInState: ConsoleScreen {
    package enum Layer: String, KeyLayer { case waiting = "Sign in", pasting = "Paste the answer" }

    /// By the way that fits, unless the person chose one. A way that cannot work gives its place to the usual ones, also
    /// when a failed sign-in is tried again.
    /// - Parameters:
    ///   - chain: the request's way alone, unless given.
    ///   - refusals: of the ways before it.
    static func open(
        as account: AccountSummary?, asking asked: SignInRequest?, in asChosen: SignInChain?,
        after refusals: [SignInRefusal], _ context: inout Context
    ) -> Opening {
        var request = asked ?? context.request(by: context.preferredWay, as: account)
        var chain = asChosen ?? SignInChain([request.way], otherwise: context.proposal.usual)
        if asked == nil || context.proposal.obstacle(to: request.way) != nil {
            request.way = context.preferredWay
            chain = context.chain(startingWith: request.way)
        }
        let id = context.makeEffectID()
        context.spinner = 0
        context.traces.begin(id, account.map { "Sign in as \($0.displayName)" } ?? "Sign in")
        return Opening(
            SignInState(id: id, account: account, request: request, chain: chain, refusals: refusals),
            [.signIn(id, request)])
    }

    package var layer: Layer { pasted == nil ? .waiting : .pasting }
    var waits: [Wait] { [Wait(id, .cancelAndSay)] }

    func title(_ context: Context) -> String { account.map { "Sign in as \($0.displayName)" } ?? "Sign in" }
    func pace(_ context: Context) -> Pace { context.runningPace }
    var takesWindow: Bool { showsPictureAlone && picture != nil }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        if showsPictureAlone, let picture {
            PictureView(picture, code: deviceCode?.code, context).draw(on: &surface, in: rect)
        } else if way == .device {
            DeviceCodeView(self, context).draw(on: &surface, in: rect)
        } else {
            FlowView(self, context).draw(on: &surface, in: rect)
        }
    }

    func copyable(_ context: Context) -> CopiedText? {
        deviceCode.map { CopiedText("the code", fileName: "code.txt", $0.code.userCode) } ?? pageAddress
    }

    /// The page that it waits for the person on.
    var pageAddress: CopiedText? {
        let page = deviceCode.map { $0.code.verificationURLComplete ?? $0.code.verificationURL }
        return (page ?? progress.authorizationURL).map {
            CopiedText("the address", fileName: "address.txt", $0.absoluteString)
        }
    }

    static let commands: [Command] =
        [
            Command(
                "paste", [.character("p")], "Type or paste the address that the browser ended on.", hint: "paste",
                in: [.waiting], inLines: .absent, if: canPaste
            ) { state, _ in
                (state.pasted, state.showsPictureAlone) = ("", false)
                return .none
            },
            Command(
                "signInWithCode", [.character("c")],
                "Use a code on another device instead; what is waited for here ends.", hint: "code", in: [.waiting],
                if: { $0.way == .device ? goesThatWay : $1.canUseCode }
            ) { $0.change(to: .device, &$1) },
            Command(
                "signIn", [.character("i")], "Use the browser of this machine instead; what is waited for here ends.",
                hint: "browser", in: [.waiting], if: { state, _ in state.way == .browser ? goesThatWay : .available }
            ) { $0.change(to: .browser, &$1) },
            Command(
                "picture", [.character("z")],
                "Show the address as a picture alone, for a window too small for both, or the text again.",
                hint: "QR code", hintedIf: { state, _ in state.picture != nil }, in: [.waiting], inLines: .absent,
                if: { state, _ in
                    Availability(
                        state.picture != nil,
                        else: "There is no picture of an address here: a code on another device has one, and pasting.")
                }
            ) { state, _ in
                state.showsPictureAlone.toggle()
                return .none
            },
            Command("sendPaste", [.enter], "Use what was pasted.", hint: "use it", in: [.pasting], inLines: .absent) {
                state, _ in
                let text = state.pasted ?? ""
                (state.pasted, state.showsPictureAlone) = (nil, false)
                return .start(.deliver(state.id, text))
            },
            inspect(goes: true, in: [.waiting]),
            copy("Copy the address to open, or the code to enter, to the terminal's clipboard.", in: [.waiting]),
            Command(
                "copyAddress", [.character("u")], "Copy the address of the page to the terminal's clipboard.",
                in: [.waiting],
                if: { state, _ in
                    Availability(state.pageAddress != nil, else: "There is no address to open yet.")
                }
            ) { state, context in
                state.pageAddress.map { .start(.copy(context.makeEffectID(), $0)) } ?? .none
            },
            saveCopy(in: [.waiting]),
        ] + finding(in: [.waiting]) + [
            back("Cancel the sign-in and go back.", hint: "cancel", in: [.waiting]),
            back("Stop pasting; the sign-in waits on.", hint: "not now", in: [.pasting]),
            Command("close", [.character("q")], closingCancels, group: .everywhere, in: [.waiting]) { _, _ in
                .move(.leave)
            },
            interrupt,
        ]

    private static func canPaste(_ state: SignInState, _ context: Context) -> Availability {
        Availability(
            state.takesPastes,
            else: state.way == .device ? "A code needs nothing pasted here." : "There is no address to open yet.")
    }

    private static let goesThatWay = Availability.unavailable("This sign-in goes that way already.")

    /// Goes another way in place of the one that runs.
    private func change(to way: SignInWay, _ context: inout Context) -> Reaction {
        var request = request
        request.way = way
        context.notice = endOfWait.map { Notice(.quiet, $0) }
        return Reaction(move: .replace(.signIn(account, request)), effects: [context.cancel(id)])
    }

    /// A key that edits the address.
    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? {
        guard let text = pasted?.edited(by: key) else { return nil }
        pasted = text
        return Reaction.none
    }

    /// A browser's answer is delivered as it is: whether it is one is not judged here.
    mutating func paste(_ text: String, _ context: inout Context) -> Reaction {
        guard takesPastes || pasted != nil else { return .none }
        context.notice = nil
        defer { pasted = nil }
        return .start(.deliver(id, (pasted ?? "") + text))
    }

    mutating func stepBack(_ context: inout Context) -> Bool {
        guard pasted != nil || showsPictureAlone else { return false }
        if pasted == nil { showsPictureAlone = false }
        pasted = nil
        return true
    }

    mutating func refresh(_ context: Context) { leaveOut { context.proposal.obstacle(to: $0) == nil } }

    mutating func receive(_ message: Message, _ context: inout Context) -> Reaction {
        if case .deviceCode(_, let code) = message { deviceCode = code }
        if case .pagePicture(_, let picture) = message { pagePicture = picture }
        if case .pasteRefused(_, let report) = message {
            context.notice = Notice(.warning, "\(report.reason) \(report.advice)")
        }
        if case .flowEvent(_, let event) = message {
            progress.record(event)
            context.advance(to: event.date)
            return givesUp(on: event) ? .start(.cancel(id)) : .none
        }
        if case .acquired(_, let outcome, let date) = message {
            context.end(id, outcome, at: date)
            switch outcome {
            case .success(let acquisition): return signedIn(acquisition, &context)
            case .failure(let report): return failed(report, &context)
            }
        }
        return .none
    }

    private func signedIn(_ acquisition: Acquisition, _ context: inout Context) -> Reaction {
        context.accounts.setFilter("")
        context.accounts.selectWhenRead = acquisition.account.identifier
        context.notice = Notice(.success, "Signed in as \(acquisition.account.displayName).")
        return Reaction(
            move: .replace(.claims(acquisition, id, isRenewal: false)),
            effects: [context.readAccounts()] + context.remember(scopes: acquisition.scopes), uncovers: true)
    }

    private func failed(_ report: ErrorReport, _ context: inout Context) -> Reaction {
        if way == .broker, report.isBrokerAbsent { context.brokerRefusal = report.reason }
        guard let refusal = refusal(report, isAbsent: context.proposal.obstacle(to: way) != nil) else {
            return .move(.replace(.failure(report, attempt, id)))
        }
        var request = request
        request.way = refusal.next
        return .move(.replace(.signIn(account, request, in: chain, after: refusals + [refusal])))
    }

    // Line mode.

    var remarks: [String] { refusals.map(\.line) }

    func question(_ context: Context) -> LineQuestion? {
        guard takesPastes else { return nil }
        return LineQuestion(
            prompt: "Paste the address, or q to cancel", isSecret: true, isOptional: way != .paste, isDelivered: true)
    }

    mutating func answer(_ text: String, _ context: inout Context) -> Reaction {
        text == "q" ? .move(.back) : text.isEmpty ? .none : paste(text, &context)
    }

    func tell(_ message: Message, _ teller: PlainTeller, _ context: Context) -> [String] {
        if case .deviceCode(id, let shown) = message { return [teller.code(shown.code)] }
        guard case .flowEvent(id, let event) = message else { return [] }
        let page = context.profile?.isDemo == true ? nil : event.authorizationURL ?? progress.authorizationURL
        return teller.step(event, way, context.proposal, page)
    }
}
