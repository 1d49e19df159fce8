#include "PromptSignals.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

// All of these must find the terminal as the shell left it, so they wait until the editor has restored it; then they
// have their usual effect.
static const int deferred[] = {SIGTSTP, SIGTERM, SIGHUP, SIGQUIT};
static const int redrawing[] = {SIGWINCH, SIGCONT};
enum { deferred_count = 4, redrawing_count = 2 };

static struct sigaction before_deferred[deferred_count];
static struct sigaction before_redrawing[redrawing_count];
static atomic_bool pending_deferred[deferred_count];
static atomic_bool pending_redraw;
static atomic_int wake_descriptor = -1;

void prompt_signals_wake(void) {
  int descriptor = atomic_load(&wake_descriptor);
  // If the pipe is full, the reader is already awake.
  if (descriptor >= 0 && write(descriptor, "", 1) < 0) return;
}

static void note_deferred(int number) {
  int saved_errno = errno;
  for (int i = 0; i < deferred_count; i++) {
    if (deferred[i] == number) atomic_store(&pending_deferred[i], true);
  }
  prompt_signals_wake();
  errno = saved_errno;
}

static void note_redraw(int number) {
  (void)number;
  int saved_errno = errno;
  atomic_store(&pending_redraw, true);
  prompt_signals_wake();
  errno = saved_errno;
}

static void watch(int number, void (*handler)(int), struct sigaction *before) {
  struct sigaction action = {0};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, before);
  // An ignored signal stays ignored: under nohup a lost terminal must not end the process.
  if (before->sa_handler == SIG_IGN) sigaction(number, before, NULL);
}

void prompt_signals_watch(int descriptor) {
  atomic_store(&wake_descriptor, descriptor);
  for (int i = 0; i < deferred_count; i++) watch(deferred[i], note_deferred, &before_deferred[i]);
  for (int i = 0; i < redrawing_count; i++) watch(redrawing[i], note_redraw, &before_redrawing[i]);
}

void prompt_signals_unwatch(void) {
  for (int i = 0; i < deferred_count; i++) sigaction(deferred[i], &before_deferred[i], NULL);
  for (int i = 0; i < redrawing_count; i++) sigaction(redrawing[i], &before_redrawing[i], NULL);
  atomic_store(&wake_descriptor, -1);
  // Signals since the last key are not lost, and the terminal is restored.
  for (int number = 0; (number = prompt_signals_take_deferred()) != 0;) kill(getpid(), number);
}

int prompt_signals_take_deferred(void) {
  for (int i = 0; i < deferred_count; i++) {
    if (atomic_exchange(&pending_deferred[i], false)) return deferred[i];
  }
  return 0;
}

void prompt_signals_deliver(int number) {
  for (int i = 0; i < deferred_count; i++) {
    if (deferred[i] != number) continue;
    sigaction(number, &before_deferred[i], NULL);
    // Pool threads block signals. Unless this one is unblocked, the thread would continue at once.
    sigset_t only, before;
    sigemptyset(&only);
    sigaddset(&only, number);
    pthread_sigmask(SIG_UNBLOCK, &only, &before);
    raise(number);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    watch(number, note_deferred, &before_deferred[i]);
    atomic_store(&pending_redraw, true);
  }
}

bool prompt_signals_take_redraw(void) { return atomic_exchange(&pending_redraw, false); }
