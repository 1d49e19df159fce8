// A package's C target has a source; everything is in the header.
#include "AuthClientObjC.h"
