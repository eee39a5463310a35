/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message_text.h -- a protobuf message as a mapping of YAML, and back, which loses nothing
 *
 * Each field is a key of its own name.  Fields of proto3 that are 0 or empty are left out; of the
 * message itself the first three are always there.  Numbers, true and false are plain, enums their
 * names, texts in quotes, bytes hexadecimal digits.
 */
#ifndef MESSAGE_TEXT_H
#define MESSAGE_TEXT_H

#include <protobuf-c/protobuf-c.h>

#include "yaml_file.h"

/* The mapping's place in the document.  0: failed, after a message that begins with `whose`: a
 * field that its schema has not, a text that is no UTF-8, a NaN with bits of its own; or no memory.
 */
int message_text_put(yaml_document_t *to, const char *whose, const ProtobufCMessage *m);

/* The message that a mapping of a document says, which protobuf_c_message_free_unpacked() frees.
 * NULL: failed, after a message with file, line and column. */
ProtobufCMessage *message_text_get(const yaml_documents *d, const yaml_node_t *from,
                                   const ProtobufCMessageDescriptor *what);

#endif
