/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message_text.h -- converts a protobuf message to a YAML mapping and back, without loss
 *
 * Each field is a key of the same name. Fields of proto3 that are 0 or empty are left out, except
 * the first three of the outer message. Numbers and booleans are plain, enums are their names,
 * texts are quoted, and bytes are hexadecimal digits.
 */
#ifndef MESSAGE_TEXT_H
#define MESSAGE_TEXT_H

#include <protobuf-c/protobuf-c.h>

#include "yaml_file.h"

/* Adds a message to the document. Returns the mapping's index, or 0 after a message that begins
 * with `whose`: an unknown field, a text that is not UTF-8, a NaN with a payload, or no memory. */
int message_text_put(yaml_document_t *to, const char *whose, const ProtobufCMessage *m);

/* Converts a mapping to a message, which protobuf_c_message_free_unpacked() frees. Returns NULL
 * after a message with file, line and column. */
ProtobufCMessage *message_text_get(const yaml_documents *d, const yaml_node_t *from,
                                   const ProtobufCMessageDescriptor *what);

#endif
