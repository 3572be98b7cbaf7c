#include "kernel.h"

int extra(void)
{
	return forwarded;
}
