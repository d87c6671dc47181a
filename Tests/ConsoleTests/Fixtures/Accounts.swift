@testable import Console

let alice = AccountSummary(
    identifier: "alice-id.contoso-id", name: "Alice Ångström", username: "alice@contoso.example",
    tenant: "8a0f1c2e-1111-4222-8333-0123456789ab", environment: "login.contoso.example",
    tenantProfiles: [
        TenantProfileSummary(tenant: "8a0f1c2e-1111-4222-8333-0123456789ab", isHome: true),
        TenantProfileSummary(tenant: "fabrikam.example", isHome: false),
    ])
let bob = AccountSummary(
    identifier: "bob-id.contoso-id", name: "Bob Brown", username: "bob@contoso.example",
    tenant: "8a0f1c2e-1111-4222-8333-0123456789ab", environment: "login.contoso.example")
let carol = AccountSummary(
    identifier: "carol-id.consumers", name: nil, username: "carol@mail.example", tenant: nil,
    environment: "login.live.example")

/// Names that break the columns of a careless layout.
let wideAccounts = [
    AccountSummary(
        identifier: "1", name: "山田太郎 株式会社コントソ", username: "taro.yamada@contoso.example", tenant: "日本テナント",
        environment: "login.contoso.example"),
    AccountSummary(
        identifier: "2", name: "김민수", username: "minsu@contoso.example", tenant: "한국",
        environment: "login.contoso.example"),
    AccountSummary(
        identifier: "3", name: "Zoe\u{308} 👩‍👩‍👧 Müller", username: "zoe@contoso.example", tenant: "Ünïcödé",
        environment: "login.contoso.example"),
    AccountSummary(
        identifier: "4", name: "دانا الحسن", username: "dana@contoso.example", tenant: "\u{202E}evil\u{1B}[31m",
        environment: "login.contoso.example"),
    AccountSummary(
        identifier: "5", name: "Maximiliane Bernadette von Hohenzollern-Sigmaringen",
        username: "maximiliane.bernadette.von.hohenzollern-sigmaringen@a-very-long-subdomain.contoso.example",
        tenant: "a-very-long-subdomain.contoso.example", environment: "login.a-very-long-subdomain.contoso.example"),
]

/// The requested number of accounts, all different.
func manyAccounts(_ count: Int) -> [AccountSummary] {
    (1...count).map {
        AccountSummary(
            identifier: "id-\($0)", name: "Person \($0)", username: "person\($0)@contoso.example",
            tenant: "contoso.example", environment: "login.contoso.example")
    }
}

/// One account for each token status, in three places.
let accountsWithTokens: [AccountSummary] = {
    var accounts = [alice, bob, carol] + manyAccounts(3)
    accounts[0].token = .held(until: testTime.addingTimeInterval(3540), canRefresh: true)
    accounts[1].token = .held(until: testTime.addingTimeInterval(40), canRefresh: false)
    accounts[2].token = .held(until: testTime.addingTimeInterval(-5), canRefresh: false)
    accounts[3].token = .held(until: testTime.addingTimeInterval(-5), canRefresh: true)
    accounts[4].token = AccessState.none
    accounts[5].token = .refreshable
    accounts[5].isFromOtherApplication = true
    return accounts
}()
