// Restores the terminal if the process dies at the prompt.

#ifndef TERMINAL_RESCUE_H
#define TERMINAL_RESCUE_H

// Saves the state of the terminal. `farewell` is written to the descriptor first; it may be empty.
void terminal_rescue_begin(int output, const char *farewell);
void terminal_rescue_end(void);

#endif
