#include "VirtualMicrophone.h"
