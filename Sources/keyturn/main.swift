import Glibc
import Subcommands
import Tasks

ProcessGuards.set()
do {
    try ThreadPool.run {
        let code = await Program.run(Array(CommandLine.arguments.dropFirst()), in: .live)
        // Nothing is left to be written. What the C library would tidy up first, other threads may still be using.
        _exit(code.rawValue)
    }
} catch {
    exit(Program.refuse(error, in: .live).rawValue)
}
