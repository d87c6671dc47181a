import Glibc
import Subcommands

// Writing to a reader that is gone shall be an error that a command hears of, not the end of the process.
signal(SIGPIPE, SIG_IGN)
exit(await Program.run(Array(CommandLine.arguments.dropFirst()), in: .live).rawValue)
