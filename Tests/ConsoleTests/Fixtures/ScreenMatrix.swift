import TerminalUI

@testable import Console

/// The golden screens of every kind of screen under every condition, or the reason why there are none.
enum ScreenMatrix {
    enum Condition: String, Sendable, CaseIterable {
        case usual, empty, loading, error, long, wide
    }

    enum Entry: Sendable {
        /// The name of a state.
        case shown(String)
        /// The reason.
        case never(String)
    }

    typealias Row = [Condition: Entry]

    static let rows: [ScreenKind: Row] = lists.merging(signIns, uniquingKeysWith: first)
        .merging(tokens, uniquingKeysWith: first).merging(flows, uniquingKeysWith: first)
        .merging(setUps, uniquingKeysWith: first).merging(overlays, uniquingKeysWith: first)

    /// The states that are recorded at every size: the usual one of each kind of screen. ``ScreenPropertyTests`` checks the
    /// layout of the others.
    static let statesAtEverySize = Set(
        rows.values.compactMap { row -> String? in
            if case .shown(let name) = row[.usual] { name } else { nil }
        })

    @Sendable private static func first(_ one: Row, _ other: Row) -> Row { one }

    private static let ownWords = Entry.never("All its words are the program's own.")
    private static let alwaysFull = Entry.never("There is always something in it.")
    private static let waitsForNothing = Entry.never("It waits for nothing.")
    private static let failsElsewhere = Entry.never("What fails has the error's screen.")

    private static let lists: [ScreenKind: Row] = [
        .startProblem: [
            .usual: .shown("start-problem"), .empty: alwaysFull, .loading: waitsForNothing,
            .error: .shown("start-problem"), .long: .shown("start-problem-long"), .wide: .shown("start-problem-wide"),
        ],
        .accounts: [
            .usual: .shown("accounts"), .empty: .shown("accounts-empty"), .loading: .shown("accounts-reading"),
            .error: .shown("accounts-failed"), .long: .shown("accounts-many"), .wide: .shown("accounts-wide"),
        ],
        .filter: [
            .usual: .shown("accounts-filter"), .empty: .shown("filter-none"),
            .loading: .never("There is nothing to look for before the accounts are read."),
            .error: .never("Any text is a filter."), .long: .shown("filter-long"), .wide: .shown("filter-wide"),
        ],
        .walk: [
            .usual: .shown("walk-start"), .empty: alwaysFull, .loading: .shown("walk-signing-in"),
            .error: .shown("walk-failed"), .long: .shown("walk-long"), .wide: ownWords,
        ],
        .walkPaste: [
            .usual: .shown("walk-pasting"), .empty: .shown("walk-pasting"), .loading: .shown("walk-pasting"),
            .error: .shown("walk-paste-refused"), .long: .shown("walk-pasting"),
            .wide: .never("What is typed is shown as on the sign-in's own screen."),
        ],
        .scenarios: [
            .usual: .shown("scenarios"), .empty: alwaysFull, .loading: .shown("scenario-opening"),
            .error: .shown("scenario-failed"), .long: .shown("scenarios-many"), .wide: ownWords,
        ],
        .search: [
            .usual: .shown("faults-search"), .empty: .shown("faults-none"), .loading: waitsForNothing,
            .error: .never("Any text is a search."), .long: .shown("faults-search"), .wide: ownWords,
        ],
        .export: [
            .usual: .shown("walk-export"), .empty: .shown("export-empty"),
            .loading: .never("The dialog stays, and says what is written."),
            .error: .shown("export-existing"), .long: .shown("export-long"), .wide: ownWords,
        ],
    ]

    private static let signIns: [ScreenKind: Row] = [
        .signInForm: [
            .usual: .shown("form"), .empty: .shown("form-no-scopes"), .loading: waitsForNothing,
            .error: failsElsewhere, .long: .shown("form-many-scopes"), .wide: .shown("form-wide"),
        ],
        .signInField: [
            .usual: .shown("form-typing"), .empty: .shown("form-field-empty"), .loading: waitsForNothing,
            .error: failsElsewhere, .long: .shown("form-field-long"), .wide: .shown("form-field-wide"),
        ],
        .browserSignIn: [
            .usual: .shown("sign-in-waiting"), .empty: .shown("sign-in-started"), .loading: .shown("sign-in-redeeming"),
            .error: .shown("sign-in-no-browser"), .long: .shown("sign-in-long"), .wide: .shown("sign-in-wide"),
        ],
        .pasteSignIn: [
            .usual: .shown("paste-waiting"), .empty: .shown("paste-started"), .loading: .shown("paste-waiting"),
            .error: .shown("paste-refused"), .long: .shown("paste-long"), .wide: .shown("paste-wide"),
        ],
        .pasteEntry: [
            .usual: .shown("paste-typing"), .empty: .shown("paste-entry-empty"), .loading: .shown("paste-typing"),
            .error: .shown("paste-entry-refused"), .long: .shown("paste-entry-long"),
            .wide: .shown("paste-entry-wide"),
        ],
        .deviceSignIn: [
            .usual: .shown("device-waiting"), .empty: .shown("device-started"), .loading: .shown("device-waiting"),
            .error: .shown("device-trouble"), .long: .shown("device-long"), .wide: .shown("device-wide"),
        ],
        .brokerSignIn: [
            .usual: .shown("broker-waiting"), .empty: .shown("broker-started"), .loading: .shown("broker-waiting"),
            .error: .shown("broker-trouble"), .long: .shown("broker-long"), .wide: .shown("broker-wide"),
        ],
        .silent: [
            .usual: .shown("silent"), .empty: .shown("silent-started"), .loading: .shown("silent"),
            .error: .shown("silent-trouble"), .long: .shown("silent-long"), .wide: .shown("silent-wide"),
        ],
        .signOut: [
            .usual: .shown("sign-out"), .empty: .shown("sign-out-started"), .loading: .shown("sign-out"),
            .error: failsElsewhere, .long: .shown("sign-out"), .wide: .shown("sign-out-wide"),
        ],
    ]

    private static let tokens: [ScreenKind: Row] = [
        .claims: [
            .usual: .shown("claims"), .empty: .shown("claims-absent"), .loading: waitsForNothing,
            .error: .shown("claims-verdict"), .long: .shown("claims-end"), .wide: .shown("claims-wide"),
        ],
        .rawToken: [
            .usual: .shown("claims-json"), .empty: .never("Only a token that can be read has it."),
            .loading: waitsForNothing, .error: failsElsewhere, .long: .shown("claims-json"),
            .wide: .shown("claims-json-wide"),
        ],
        .comparison: [
            .usual: .shown("claims-compare"), .empty: .shown("compare-same"), .loading: waitsForNothing,
            .error: .shown("claims-compare"), .long: .shown("claims-compare"), .wide: .shown("compare-wide"),
        ],
        .pastedToken: [
            .usual: .shown("claims-pasted"), .empty: .shown("pasted-empty"), .loading: waitsForNothing,
            .error: .shown("claims-pasted"), .long: .shown("pasted-long"), .wide: .shown("pasted-wide"),
        ],
        .claimsFilter: [
            .usual: .shown("claims-filter"), .empty: .shown("claims-filter-none"), .loading: waitsForNothing,
            .error: .never("Any text is a filter."), .long: .shown("claims-filter"),
            .wide: .never("What is typed is shown as in the accounts' filter."),
        ],
        .tokenEntry: [
            .usual: .shown("token-entry"), .empty: .shown("token-entry-empty"), .loading: waitsForNothing,
            .error: .shown("token-entry-refused"),
            .long: .never("What is typed is shown by its length."),
            .wide: .never("What is typed is shown by its length."),
        ],
    ]

    private static let flows: [ScreenKind: Row] = [
        .failure: [
            .usual: .shown("failure-network"), .empty: .shown("failure-bare"), .loading: waitsForNothing,
            .error: .shown("failure-refused"), .long: .shown("failure-codes"), .wide: .shown("failure-wide"),
        ],
        .explainEntry: [
            .usual: .shown("explain-entry-choices"), .empty: .shown("explain-entry-empty"),
            .loading: .never("It lies over another screen and stays as it is while it reads."),
            .error: .shown("explain-entry-mistyped"), .long: .shown("explain-entry-long"),
            .wide: .shown("explain-entry-wide"),
        ],
        .callEntry: [
            .usual: .shown("call-entry"), .empty: .shown("call-entry-empty"), .loading: waitsForNothing,
            .error: .shown("call-entry-refused"), .long: .shown("call-entry-long"),
            .wide: .shown("call-entry-wide"),
        ],
        .explanation: [
            .usual: .shown("explanation"), .empty: .shown("explanation-code"),
            .loading: .never("It lies over another screen, which keeps the activity."),
            .error: .shown("explanation-failed"), .long: .shown("explanation-wide"), .wide: .shown("explanation-wide"),
        ],
        .review: [
            .usual: .shown("review"), .empty: .shown("review-same"),
            .loading: .never("It lies over another screen, which keeps the activity."),
            .error: .shown("review-failed"), .long: .shown("review-wide"), .wide: .shown("review-wide"),
        ],
        .caseWalk: [
            .usual: .shown("case"), .empty: .never("Without requests, it doesn't open."), .loading: waitsForNothing,
            .error: .shown("case-failure"), .long: .shown("case-failure"), .wide: ownWords,
        ],
        .ownCommand: [
            .usual: .shown("own-command"), .empty: .shown("own-command-empty"), .loading: .shown("own-command-running"),
            .error: .shown("own-command-failed"), .long: .shown("own-command-long"), .wide: .shown("own-command-long"),
        ],
        .besideEntry: [
            .usual: .shown("compare-entry"), .empty: .shown("compare-entry"),
            .loading: .never("It lies over another screen and stays as it is while it compares."),
            .error: .shown("compare-entry-failed"), .long: .shown("compare-entry-failed"), .wide: ownWords,
        ],
        .beside: [
            .usual: .shown("comparison"), .empty: .shown("comparison-same"), .loading: waitsForNothing,
            .error: .shown("comparison"), .long: .shown("comparison"), .wide: ownWords,
        ],
        .check: [
            .usual: .shown("check"), .empty: .shown("check-empty"), .loading: .shown("check-running"),
            .error: .shown("check"), .long: .shown("check-wide"), .wide: .shown("check-wide"),
        ],
        .inspector: [
            .usual: .shown("inspector"), .empty: .shown("inspector-empty"), .loading: .shown("inspector-running"),
            .error: .shown("inspector-unreachable"), .long: .shown("inspector-long"),
            .wide: .shown("inspector-foreign"),
        ],
        .flows: [
            .usual: .shown("flows"), .empty: .never("Without a flow, it doesn't open."),
            .loading: .shown("flows-running"),
            .error: .shown("flows"), .long: .shown("flows"), .wide: ownWords,
        ],
        .step: [
            .usual: .shown("step"), .empty: .never("It opens with a request."), .loading: .shown("step-waiting"),
            .error: .shown("step-accepted"), .long: .shown("step-changed"), .wide: ownWords,
        ],
        .requestEdits: [
            .usual: .shown("step-edits"), .empty: .never("A value can always be typed."), .loading: waitsForNothing,
            .error: .never("The library says what makes no request."), .long: .shown("step-edits"), .wide: ownWords,
        ],
        .requestEntry: [
            .usual: .shown("step-entry"), .empty: .shown("step-entry-secret"), .loading: waitsForNothing,
            .error: .shown("step-entry-refused"), .long: .never("The field shows the end of a long value."),
            .wide: ownWords,
        ],
        .doors: [
            .usual: .shown("doors"), .empty: .shown("doors-none"), .loading: .shown("doors-looking"),
            .error: .never("What can't be read isn't a door."), .long: .shown("doors-wide"),
            .wide: .shown("doors-wide"),
        ],
        .agreements: [
            .usual: .shown("agreements"), .empty: .shown("agreements-none"), .loading: waitsForNothing,
            .error: .never("What can't be read fails with the accounts."), .long: .shown("agreements-wide"),
            .wide: .shown("agreements-wide"),
        ],
        .exchange: [
            .usual: .shown("exchange"), .empty: .shown("exchange-bare"), .loading: .shown("exchange-waiting"),
            .error: .shown("exchange-unreachable"), .long: .shown("exchange-wide"), .wide: .shown("exchange-wide"),
        ],
    ]

    private static let setUps: [ScreenKind: Row] = [
        .providers: [
            .usual: .shown("welcome"), .empty: alwaysFull, .loading: .shown("welcome-opening"),
            .error: .shown("welcome-failed"), .long: .shown("welcome-long"), .wide: .shown("welcome-wide"),
        ],
        .setUp: [
            .usual: .shown("set-up-last"), .empty: .shown("set-up-empty"), .loading: .shown("set-up-asking"),
            .error: .shown("set-up-refused"), .long: .shown("set-up-long"), .wide: .shown("set-up-client"),
        ],
        .profiles: [
            .usual: .shown("profiles"), .empty: .shown("profiles-none"), .loading: .shown("profiles-reading"),
            .error: .shown("profiles-broken"), .long: .shown("profiles-many"), .wide: .shown("profiles"),
        ],
    ]

    private static let overlays: [ScreenKind: Row] = [
        .help: [
            .usual: .shown("help-accounts"), .empty: alwaysFull, .loading: waitsForNothing, .error: failsElsewhere,
            .long: .shown("help-accounts"), .wide: ownWords,
        ],
        .palette: [
            .usual: .shown("palette"), .empty: .shown("palette-nothing"), .loading: waitsForNothing,
            .error: .shown("palette-filtered"), .long: .shown("palette"), .wide: .shown("palette-wide"),
        ],
        .removalDialog: [
            .usual: .shown("removal-dialog"), .empty: alwaysFull, .loading: waitsForNothing, .error: failsElsewhere,
            .long: .shown("removal-dialog-confirm"), .wide: .shown("removal-dialog-wide"),
        ],
        .interactionDialog: [
            .usual: .shown("interaction-dialog"), .empty: alwaysFull, .loading: waitsForNothing,
            .error: failsElsewhere, .long: .shown("interaction-long"), .wide: .shown("interaction-wide"),
        ],
        .agreementDialog: [
            .usual: .shown("agreement"), .empty: alwaysFull, .loading: waitsForNothing, .error: failsElsewhere,
            .long: .shown("agreement-long"), .wide: .shown("agreement-wide"),
        ],
        .doorDialog: [
            .usual: .shown("doors-closing"), .empty: alwaysFull, .loading: waitsForNothing, .error: failsElsewhere,
            .long: .shown("doors-closing-wide"), .wide: .shown("doors-closing-wide"),
        ],
        .profileRemovalDialog: [
            .usual: .shown("profiles-removal"), .empty: alwaysFull, .loading: waitsForNothing, .error: failsElsewhere,
            .long: .shown("profiles-removal-long"), .wide: .shown("profiles-removal"),
        ],
        .discardDialog: [
            .usual: .shown("set-up-discard"), .empty: alwaysFull, .loading: waitsForNothing, .error: failsElsewhere,
            .long: ownWords, .wide: ownWords,
        ],
        .saveDialog: [
            .usual: .shown("save-dialog"), .empty: alwaysFull, .loading: waitsForNothing, .error: failsElsewhere,
            .long: ownWords, .wide: ownWords,
        ],
        .saveAnywayDialog: [
            .usual: .shown("set-up-anyway"), .empty: alwaysFull, .loading: waitsForNothing, .error: failsElsewhere,
            .long: .shown("set-up-anyway"), .wide: ownWords,
        ],
    ]
}
