/* The faults that a player of any game can have in any of its functions: "crash-play" and the like.

   It is included once, behind a function that says whether the fault `what` is to happen in `place`:
       static int fault_is_in(char const *what, char const *place); */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NOISE_LINES 50000 /* of 100 bytes: 5 MB */
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static int fault_is_in(char const *what, char const *place);

static void crash(void) {
    int *volatile nowhere = NULL;
    *nowhere = 1;
}

static void leave(void) { exit(3); }

static void hang(void) {
    for (;;)
        ;
}

static void block(void) {
    for (;;)
        pause();
}

static void make_noise(FILE *stream) {
    for (int k = 0; k < NOISE_LINES; k++)
        fprintf(stream, "%099d\n", k);
    fflush(stream);
}

static void noise(void) { make_noise(stdout); }
static void noise_stderr(void) { make_noise(stderr); }

static struct {
    char const *name;
    void (*happen)(void);
} const events[] = {
    {"crash", crash}, {"abort", abort}, {"exit", leave},
    {"hang", hang},   {"sleep", block}, {"noise", noise}, /* harmless */
    {"noise-stderr", noise_stderr},                       /* harmless */
};

static void happen_in(char const *place) {
    for (size_t k = 0; k < LENGTH(events); k++)
        if (fault_is_in(events[k].name, place))
            events[k].happen();
}

#endif
