#pragma once

#include <stdint.h>

// A pseudo-terminal for a program, relayed to and from this process's terminal, and pipes for those of its output streams that
// are pipes or sockets. One in a process.

/// Returns the path of the program's terminal, or NULL with `errno`.
const char *keyturn_relay_open(void);
/// The program's end of the pipe that relays standard output (1) or error (2), or -1 if that stream isn't relayed.
int32_t keyturn_relay_stream(int32_t number);
/// Gives a relay up whose program hasn't started.
void keyturn_relay_close(void);
/// Relays until `keyturn_relay_end`, in the calling thread.
void keyturn_relay_run(int32_t program);
/// Relays nothing meanwhile: keys go to whoever reads the terminal. Returns when the relay has stopped.
void keyturn_relay_hold(int32_t holds);
/// Whether the program has ended: then a question ends too.
int32_t keyturn_relay_is_over(void);
/// Stops the program and this process, like the stop key of a shell's job. Returns 0 if no shell could continue them.
int32_t keyturn_relay_stop(void);
/// Passes the size of the terminal on.
void keyturn_relay_resize(void);
/// Waits no longer for a reader of the last output.
void keyturn_relay_abandon(void);
/// Passes the last output on, and gives the terminal its modes back. Waits for the end of an open question.
void keyturn_relay_end(void);
