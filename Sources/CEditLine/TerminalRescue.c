#include "TerminalRescue.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int fatal[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
enum { fatal_count = sizeof fatal / sizeof fatal[0] };

static struct sigaction before[fatal_count];
static struct termios terminal;
static bool is_known;
static int output_descriptor;
static const char *farewell_text;
static size_t farewell_length;

static void die(int number) {
  for (int i = 0; i < fatal_count; i++) {
    if (fatal[i] == number) sigaction(number, &before[i], NULL);
  }
  ssize_t ignored = write(output_descriptor, farewell_text, farewell_length);
  (void)ignored;
  if (is_known) tcsetattr(STDIN_FILENO, TCSANOW, &terminal);
  raise(number);
}

void terminal_rescue_begin(int output, const char *farewell) {
  is_known = tcgetattr(STDIN_FILENO, &terminal) == 0;
  output_descriptor = output;
  farewell_text = farewell;
  farewell_length = strlen(farewell);
  struct sigaction action = {0};
  action.sa_handler = die;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < fatal_count; i++) sigaction(fatal[i], &action, &before[i]);
}

void terminal_rescue_end(void) {
  for (int i = 0; i < fatal_count; i++) sigaction(fatal[i], &before[i], NULL);
}
