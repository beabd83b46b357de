/* gst-cca: parameters
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_PARAMS_H
#define CCA_PARAMS_H

#include "cca/cca.h"

/* CCA_OK, or CCA_ERROR_INVALID with a text that names the parameter, its value and the limit. Leaves out algorithm. */
CcaStatus cca_params_check (const CcaParams *params);

#endif
