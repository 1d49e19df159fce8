// The routes of Ctrl-C.

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include "CEditLine.h"

struct ceditline_route {
  ceditline_interrupt_handler handler;
  void *context;
  ceditline_route *outer;
};

static _Atomic(ceditline_route *) innermost;
// The kernel may run the handler on any thread. A route is freed only if no handler is running.
static atomic_int handlers_running;
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction original;

static void interrupted(int number) {
  (void)number;
  int saved_errno = errno;
  atomic_fetch_add(&handlers_running, 1);
  ceditline_route *route = atomic_load(&innermost);
  if (route != NULL) route->handler(route->context);
  atomic_fetch_sub(&handlers_running, 1);
  errno = saved_errno;
}

ceditline_route *ceditline_route_begin(ceditline_interrupt_handler handler, void *context) {
  ceditline_route *route = malloc(sizeof *route);
  if (route == NULL) return NULL;
  pthread_mutex_lock(&changing);
  route->handler = handler;
  route->context = context;
  route->outer = atomic_load(&innermost);
  atomic_store(&innermost, route);
  if (route->outer == NULL) {
    struct sigaction action = {0};
    action.sa_handler = interrupted;
    // Restarting spares the rest of the process, which never expects EINTR.
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &original);
  }
  pthread_mutex_unlock(&changing);
  return route;
}

void ceditline_route_end(ceditline_route *route) {
  if (route == NULL) return;
  pthread_mutex_lock(&changing);
  ceditline_route *inner = atomic_load(&innermost);
  if (inner == route) {
    if (route->outer == NULL) sigaction(SIGINT, &original, NULL);
    atomic_store(&innermost, route->outer);
  } else {
    // Overlapping tasks may end in any order.
    while (inner->outer != route) inner = inner->outer;
    inner->outer = route->outer;
  }
  pthread_mutex_unlock(&changing);
  while (atomic_load(&handlers_running) != 0) sched_yield();
  free(route);
}

struct ceditline_flag {
  atomic_bool raised;
};

ceditline_flag *ceditline_flag_create(void) { return calloc(1, sizeof(ceditline_flag)); }

void ceditline_flag_destroy(ceditline_flag *flag) { free(flag); }

void ceditline_flag_raise(void *flag) { atomic_store(&((ceditline_flag *)flag)->raised, true); }

void ceditline_flag_lower(ceditline_flag *flag) { atomic_store(&flag->raised, false); }

bool ceditline_flag_is_raised(const ceditline_flag *flag) { return atomic_load(&flag->raised); }
