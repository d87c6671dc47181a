/// A key. Letters with Ctrl are lower case: Ctrl-C is `.control("c")`.
package enum Key: Sendable, Hashable {
    case character(Character)
    case enter, escape, tab, backTab
    case up, down, left, right
    case home, end, pageUp, pageDown
    case backspace, delete
    case function(Int)
    case control(Character)
    case alt(Character)
}
