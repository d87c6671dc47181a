import Diagnosis

/// A set-up with something of everything.
let checkReport = CheckReport([
    .init(.configuration, [CheckFinding("Configuration", .good, "The profile contoso; /home/alice/config.json.")]),
    .init(
        .application,
        [
            CheckFinding("Client ID", .good, "11111111-2222-3333-4444-555555555555 is a GUID, as Entra's are."),
            CheckFinding(
                "Redirect URI", .wrong, "The scheme of myapp://auth is not registered, so nobody would come back.",
                fix: "Add myapp under CFBundleURLTypes, or use http://localhost."),
        ]),
    .init(
        .authority,
        [
            CheckFinding("Authority", .good, "https://login.contoso.example/common answers."),
            CheckFinding(
                "Clock", .attention, "It is 6 min behind the authority's: tokens seem to end too late.",
                fix: "Set it by the network: timedatectl set-ntp true."),
            CheckFinding("Proxy", .good, "None is configured."),
        ]),
    .init(.cache, [CheckFinding("Token key", .good, "Sealed, the key in the keyring.")]),
    .init(.machine, [CheckFinding("Identity broker", .notChecked, "Nobody was asked.")]),
])

let goodReport = CheckReport([.init(.authority, [CheckFinding("Authority", .good, "It answers.")])])

/// Names and texts as others write them.
let wideReport = CheckReport([
    .init(
        .application,
        (1...40).map {
            CheckFinding(
                "規則 \($0)", $0 % 3 == 0 ? .attention : .good, "東京の設定は \u{1B}[2J\u{202E}正しい e\u{301} 👩‍👩‍👧 です。",
                fix: $0 % 3 == 0 ? "設定を直してください。" : nil)
        })
])
