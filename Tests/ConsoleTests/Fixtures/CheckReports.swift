import Diagnosis

/// A report with every result.
let checkReport = CheckReport([
    .init(.configuration, [CheckFinding("Configuration", .passed, "Profile contoso in /home/alice/config.json.")]),
    .init(
        .application,
        [
            CheckFinding("Client ID", .passed, "11111111-2222-3333-4444-555555555555 is a GUID."),
            CheckFinding(
                "Redirect URI", .failed, "The scheme myapp isn't registered, so no program receives the response.",
                fix: "Add myapp under CFBundleURLTypes, or use http://localhost."),
        ]),
    .init(
        .authority,
        [
            CheckFinding("Authority", .passed, "https://login.contoso.example/common responds."),
            CheckFinding(
                "Clock", .warning, "The clock is 6 min behind the authority's: tokens seem to expire too late.",
                fix: "Synchronise the clock: timedatectl set-ntp true."),
            CheckFinding("Proxy", .passed, "None."),
        ]),
    .init(.cache, [CheckFinding("Encryption", .passed, "Tokens encrypted · key in keyring.")]),
    .init(.machine, [CheckFinding("Identity broker", .skipped, "Checked only with a profile.")]),
])

let goodReport = CheckReport([.init(.authority, [CheckFinding("Authority", .passed, "It responds.")])])

/// Untrusted names and texts.
let wideReport = CheckReport([
    .init(
        .application,
        (1...40).map {
            CheckFinding(
                "規則 \($0)", $0 % 3 == 0 ? .warning : .passed, "東京の設定は \u{1B}[2J\u{202E}正しい e\u{301} 👩‍👩‍👧 です。",
                fix: $0 % 3 == 0 ? "設定を直してください。" : nil)
        })
])
