// The signals that concern a terminal in use, held back until the editor has restored it.

#ifndef PROMPT_SIGNALS_H
#define PROMPT_SIGNALS_H

#include <stdbool.h>

// Makes each signal write a byte to `wake_descriptor`, a pipe that does not block.
void prompt_signals_watch(int wake_descriptor);
void prompt_signals_unwatch(void);

// Writes such a byte; async-signal-safe.
void prompt_signals_wake(void);

// Returns the next signal that stops or ends the process, or 0.
int prompt_signals_take_deferred(void);

// Gives such a signal its usual effect. May not return.
void prompt_signals_deliver(int number);

// Tells whether the window changed or the process was stopped, so that the line must be redrawn.
bool prompt_signals_take_redraw(void);

#endif
