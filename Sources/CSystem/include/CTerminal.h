#pragma once

#include <stdint.h>

// A terminal whose lines the program edits itself: the terminal's own line editing takes no more than 4,095 bytes.

/// The bytes of the keys that edit a line; 0 for none.
typedef struct {
    uint8_t erase, erase_word, kill, end;
} keyturn_terminal_keys;

/// Takes over the editing and the echo of lines, until `keyturn_terminal_end_typing`. Signals that stop or end the process
/// give the terminal its modes back first. Returns a descriptor to echo to, or -1 if `terminal` is no terminal.
int32_t keyturn_terminal_begin_typing(int32_t terminal, keyturn_terminal_keys *keys);

/// Lets all keys of the terminal through as bytes, until `keyturn_terminal_end_typing`. Returns 0 if that isn't possible.
int32_t keyturn_terminal_begin_relaying(int32_t terminal);
/// Whether the terminal processes output meanwhile, as the relayed one does.
void keyturn_terminal_relay_output_mode(int32_t processes);

/// The keys of a terminal that edits no lines by itself. Returns 0 if it does.
int32_t keyturn_terminal_find_keys(int32_t terminal, keyturn_terminal_keys *keys);
/// The signal that a key means to the user while the terminal sends none, or 0.
int32_t keyturn_terminal_signal_of(int32_t terminal, uint8_t key);

/// Takes the editing over again, after the process was stopped.
void keyturn_terminal_resume_typing(void);
/// How often the process was continued.
uint32_t keyturn_terminal_resumptions(void);

/// Echoes Ctrl-C, after which the line is forgotten.
void keyturn_terminal_interrupt_typing(void);
/// How often Ctrl-C was pressed.
uint32_t keyturn_terminal_interruptions(void);

/// Whether another process group has the terminal, so that reading or changing it would stop this one.
int32_t keyturn_terminal_is_aside(int32_t terminal);

/// Gives the terminal its modes back. Does nothing if the program has not taken over.
void keyturn_terminal_end_typing(void);

/// The same at the end of the process: nothing takes over again.
void keyturn_terminal_end_typing_for_good(void);
