#ifndef _HEX_MOVE_H_
#define _HEX_MOVE_H_

#include <stddef.h>

#include "color.h"

struct move_t {
    size_t m; /* the vertex */
    enum color_t c;
};

#endif
