/// Finding a command by what it does.
extension Commands {
    static let paletteCommands = [
        Command(
            .palette, [.character(":")], "Find a command by what it does.", group: .everywhere, in: screens),
        Command(.runCommand, [.enter], "Do what is selected.", hint: "do it", in: [.palette]),
        Command(.up, [.up, .backTab], "One row up.", group: .moving, in: [.palette]),
        Command(.down, [.down, .tab], "One row down.", group: .moving, in: [.palette]),
        Command(.pageUp, [.pageUp], "One page up.", group: .moving, in: [.palette]),
        Command(.pageDown, [.pageDown], "One page down.", group: .moving, in: [.palette]),
        Command(
            .back, [.escape], "Close the list; nothing is done.", hint: "close", group: .everywhere, in: [.palette]),
    ]
}
