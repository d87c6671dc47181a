import Foundation

/// One line for the program that started this one. At once, also in a pipe.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
