/* Which fault a player has, and when: a library is compiled once for all faults, and build.py writes
   these texts into copies of it. They are no variables of the environment: if that changes, the
   referee's fork servers are started anew. */
#ifndef SWITCHES_H
#define SWITCHES_H

#define MARK(name) "switch " name "="
#define SWITCH(name, text) MARK(name) text "\0............................................."

/* Nothing static: that might be taken for what never changes. */
char fault_switch[] = SWITCH("fault", "none");  /* what happens; "none" is no fault */
char at_switch[] = SWITCH("fault_at", "1");     /* at which of the player's own moves */
char seat_switch[] = SWITCH("fault_seat", "");  /* the only seat that has the fault, if not all */

#define FAULT (fault_switch + sizeof(MARK("fault")) - 1)
#define FAULT_AT (at_switch + sizeof(MARK("fault_at")) - 1)
#define FAULT_SEAT (seat_switch + sizeof(MARK("fault_seat")) - 1)

#endif
