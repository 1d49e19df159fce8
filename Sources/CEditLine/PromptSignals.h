// The signals that concern a terminal in use, held back until the editor has put it in order.

#ifndef PROMPT_SIGNALS_H
#define PROMPT_SIGNALS_H

#include <stdbool.h>

// From here on a signal writes a byte to `wake_descriptor`, a pipe that does not block.
void prompt_signals_watch(int wake_descriptor);
void prompt_signals_unwatch(void);

// Writes such a byte; async-signal-safe.
void prompt_signals_wake(void);

// The next signal that stops or ends the process, or 0.
int prompt_signals_take_deferred(void);

// Lets such a signal do what it would have done without us. May not return.
void prompt_signals_deliver(int number);

// Whether the window changed or the process was stopped, so that the line must be drawn again.
bool prompt_signals_take_redraw(void);

#endif
