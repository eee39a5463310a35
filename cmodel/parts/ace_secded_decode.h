/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_secded_decode.h -- the C twin of rtl/ace_secded_decode.v: a stored row put right
 *
 * m_corrected and m_failed are what is returned, for a row whose s_valid is high.
 */
#ifndef ACE_SECDED_DECODE_H
#define ACE_SECDED_DECODE_H

#include "ace_secded.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ace_secded { ACE_SECDED_RIGHT, ACE_SECDED_CORRECTED, ACE_SECDED_FAILED } ace_secded;

/* s_row to m_data: corrects every wrong bit that can be located.  If other codewords of the row
 * cannot be corrected, returns FAILED. */
ace_secded ace_secded_decode(ace_stored_row row);

#ifdef __cplusplus
}
#endif

#endif
