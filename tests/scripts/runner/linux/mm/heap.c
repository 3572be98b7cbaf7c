#include "kernel.h"

static int used;

int heap(int size)
{
	used += size;
	return used;
}
