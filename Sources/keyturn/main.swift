import Glibc
import KeyturnSystem
import Subcommands

ProcessGuards.set()
let arguments = ProcessArguments.list
do {
    try ThreadPool.run {
        let code = await Program.run(arguments, in: .live)
        // Nothing is left to be written. What the C library would tidy up first, other threads may still be using.
        _exit(code.rawValue)
    }
} catch {
    exit(Program.reject(error, arguments, in: .live).rawValue)
}
