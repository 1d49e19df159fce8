// Shows a text with another program.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CEditLine.h"

extern char **environ;

static void ignore_interrupt(void *context) { (void)context; }

// Starts a command line whose standard input is `input`. It stays in the process group of the console, so that it may
// use the terminal. Returns 0 if it cannot be started.
static pid_t start(const char *command, int input) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&actions);
  // Threads of the runtime block signals, and a child would inherit that.
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGINT);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  char *const words[] = {"/bin/sh", "-c", (char *)command, NULL};
  pid_t process = 0;
  int status = posix_spawn(&process, words[0], &actions, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return status == 0 ? process : 0;
}

static void send_text(int output, const char *text, size_t length) {
  while (length > 0) {
    ssize_t count = write(output, text, length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text += count;
    length -= (size_t)count;
  }
}

bool ceditline_page(const char *command, const char *text, size_t length) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  // The pager handles Ctrl-C itself, and may end before it has read everything.
  ceditline_route *route = ceditline_route_begin(ignore_interrupt, NULL);
  struct sigaction ignored = {.sa_handler = SIG_IGN}, before;
  sigemptyset(&ignored.sa_mask);
  sigaction(SIGPIPE, &ignored, &before);
  pid_t process = start(command, ends[0]);
  close(ends[0]);
  if (process != 0) send_text(ends[1], text, length);
  close(ends[1]);
  int status = 0;
  bool has_ended = process == 0;
  while (!has_ended) has_ended = waitpid(process, &status, 0) == process || errno != EINTR;
  sigaction(SIGPIPE, &before, NULL);
  ceditline_route_end(route);
  // The shell's statuses for a program that it cannot run.
  bool is_missing = WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127);
  return process != 0 && !is_missing;
}
