import Foundation

/// Prints one line for the parent process, at once also in a pipe.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
