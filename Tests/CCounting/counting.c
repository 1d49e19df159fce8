#include "CCounting.h"
