#pragma once

#include <stdint.h>

// A pseudo-terminal for a program, relayed to and from this process's terminal. One in a process.

/// Returns the path of the program's terminal, or NULL.
const char *keyturn_relay_open(void);
/// Relays until `keyturn_relay_end`, in the calling thread.
void keyturn_relay_run(int32_t program);
/// Relays nothing meanwhile: keys go to whoever reads the terminal. Returns when the relay has stopped.
void keyturn_relay_hold(int32_t holds);
/// Passes the size of the terminal on.
void keyturn_relay_resize(void);
/// Passes the last output on, and gives the terminal its modes back.
void keyturn_relay_end(void);
