/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_secded_encode.h -- the C twin of rtl/ace_secded_encode.v: check words of a row
 *
 * The RTL works nothing out while s_valid is low: then this is not called.
 */
#ifndef ACE_SECDED_ENCODE_H
#define ACE_SECDED_ENCODE_H

#include "ace_secded.h"

#ifdef __cplusplus
extern "C" {
#endif

/* s_data to m_check. */
void ace_secded_encode(const uint32_t data[ACE_ROW_WORDS], uint32_t check[ACE_CHECK_WORDS]);

#ifdef __cplusplus
}
#endif

#endif
