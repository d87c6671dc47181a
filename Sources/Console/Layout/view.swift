import TerminalUI

/// The whole screen, as a function of the model.
package func view(_ model: Model, _ size: Size) -> Surface {
    var model = model
    // Every layout reads the size from the model, so that update and view never disagree about it.
    model.size = size
    var surface = Surface(size: size, glyphs: model.glyphs)
    guard Frame.fits(size) else {
        TinyView(model).draw(on: &surface)
        return surface
    }
    let frame = model.frame
    if let picture = PictureView(model) {
        picture.draw(on: &surface, in: surface.bounds.splitBottom(1).rest)
    } else {
        TitleView(model).draw(on: &surface, in: frame)
        drawBody(model, on: &surface, in: frame.body)
        WalkView(model)?.draw(on: &surface, in: frame.walk)
    }
    StatusView(model).draw(on: &surface, in: frame)
    drawOverlay(model, on: &surface, in: frame.body)
    return surface
}

private func drawBody(_ model: Model, on surface: inout Surface, in body: Rect) {
    if let (list, opened) = model.inspectedExchange {
        return ExchangeView(list, opened, model).draw(on: &surface, in: body)
    }
    if let inspector = model.inspector, let trace = model.inspected {
        return InspectorView(trace, inspector, model).draw(on: &surface, in: body)
    }
    switch (model.routes.last, model.root) {
    case (.signIn(let state), _) where state.way == .device:
        DeviceCodeView(state, model).draw(on: &surface, in: body)
    case (.signInForm(let form), _): SignInFormView(form, model).draw(on: &surface, in: body)
    case (.signIn(let state), _): FlowView(state, model).draw(on: &surface, in: body)
    case (.silent(let state), _): FlowView(state, model).draw(on: &surface, in: body)
    case (.claims(let state), _): ClaimsView(state, model).draw(on: &surface, in: body)
    case (.failure(let state), _): FailureView(state, model).draw(on: &surface, in: body)
    case (.check(let state), _): CheckView(state, model).draw(on: &surface, in: body)
    case (.providers(let choice), _): ProvidersView(choice, model).draw(on: &surface, in: body)
    case (.setUp(let state), _): SetUpView(state, model).draw(on: &surface, in: body)
    case (.profiles(let state), _): ProfilesView(state, model).draw(on: &surface, in: body)
    case (nil, .unconfigured): break
    case (.scenarios(let state), _): ScenariosView(state, model).draw(on: &surface, in: body)
    case (nil, .accounts): AccountsView(model).draw(on: &surface, in: body)
    case (nil, .problem(let problem, let path)):
        StartProblemView(problem, configPath: path).draw(on: &surface, in: body)
    }
}

private func drawOverlay(_ model: Model, on surface: inout Surface, in body: Rect) {
    switch model.overlay {
    case .palette(let state): PaletteView(state, model).draw(on: &surface)
    case .help(let top): HelpView(model).draw(on: &surface, top: top)
    case .pasteToken(let field): TokenEntryView(field, model).draw(on: &surface, in: body)
    case .confirmRemoval(let account, let focus): Dialog.removal(of: account, focus: focus).draw(on: &surface, in: body)
    case .offerInteraction(let account, let reason, let focus):
        Dialog.interaction(for: account, reason: reason, focus: focus).draw(on: &surface, in: body)
    case .confirmProfileRemoval(let name, let focus):
        Dialog.profileRemoval(of: name, focus: focus).draw(on: &surface, in: body)
    case .confirmDiscard(let focus): Dialog.discard(focus: focus).draw(on: &surface, in: body)
    case nil: break
    }
}
