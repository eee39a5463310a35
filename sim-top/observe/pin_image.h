/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pin_image.h -- the pins of a node in one cycle, as bytes
 *
 * Bytes without a meaning in a cycle keep the value of the cycle before, so that little changes
 * from image to image. The caller that makes the first image sets `frames` if the links number
 * their frames. The image then also has the frame numbers, acknowledgements and flipped bits of
 * each link. Otherwise each frame that arrives is the next one, and its acknowledgement is recorded
 * but not used.
 */
#ifndef PIN_IMAGE_H
#define PIN_IMAGE_H

#include "ace_core.h"

typedef struct pin_image {
    uint64_t skipped; /* idle cycles before this one */
    uint8_t rx_valid, rx_reduce, rx_credit, rx_grant_valid, tx_valid, tx_reduce, tx_credit,
        tx_grant_valid;
    uint8_t rx_link[ACE_LINKS][4]; /* context, tag, and granted context and tag */
    uint8_t cmd_valid, ar_ready, r_valid, r_last, aw_ready, w_ready, b_valid, cmd_ready;
    uint8_t done_valid, ar_valid, r_ready, aw_valid, w_valid, w_last, b_ready, idle;
    uint8_t tx_link[ACE_LINKS][2], mismatch, cmd_kind, cmd_type, cmd_dim_count;
    uint8_t ar_len, aw_len, cmd_dims[ACE_DIMENSIONS], cmd_op, link_failed;
    uint16_t done_tag, cmd_tag, w_bytes;
    /* r_row: r_data has bits; a list's read has them without payload, too */
    uint8_t r_row, r_resp, b_resp, none[3];
    uint64_t ar_addr, aw_addr, cmd_source, cmd_destination, cmd_bytes;
    uint64_t rx_route[ACE_LINKS], tx_route[ACE_LINKS];
    uint32_t tx_row[ACE_LINKS], w_row; /* CRC-32 of rows; 0 without payload */
    uint8_t rx_routed, rx_routed_credit, tx_routed, tx_routed_credit;
    uint32_t cmd_scale;
    uint8_t rx_grant_peer[ACE_LINKS], tx_grant_peer[ACE_LINKS];
    uint8_t tx_grant[ACE_LINKS][2]; /* context, tag */
    uint8_t frames, rx_frame, rx_resend, rx_flipped, tx_frame, tx_resend, fault_valid, fault_bank;
    uint16_t rx_number[ACE_LINKS], rx_ack[ACE_LINKS], rx_flip[ACE_LINKS];
    uint16_t tx_number[ACE_LINKS], tx_ack[ACE_LINKS];
    uint8_t fault_word, nothing;
    uint16_t fault_row;
    uint32_t fault_mask, rest; /* pads the image to whole words */
} pin_image;

void pin_image_outputs(pin_image *i, const ace_pins_out *o);
void pin_image_inputs(pin_image *i, const ace_pins_in *in);
/* Restores the input pins. Rows are not in an image, so their pointers stay. */
void pin_image_pins(const pin_image *i, ace_pins_in *in);

typedef struct pin_difference {
    const char *pin;
    /* index: tx_link has context and tag of each link, tx_row has an element for each link */
    unsigned at;
    uint64_t found, recorded;
} pin_difference;
/* Compares a core's outputs with the recorded image. Returns false and sets *d at the first
 * difference. */
bool pin_image_same(const pin_image *recorded, const ace_pins_out *out, pin_difference *d);

#endif
