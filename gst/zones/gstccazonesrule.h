/* gst-cca: a zone or a line from JSON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstccazonesreader.h"

/* Reads a rule, the last of the config's, all but its section. Its kind is set before; units, size and ground are read
 * before. What the rule refers to is the caller's to free, also where it fails. */
gboolean gst_cca_zones_read_rule (GstCcaReader *reader, const gchar *place, JsonNode *node, GstCcaRulesRule *rule);

/* Reads the name of a class. */
gboolean gst_cca_zones_read_class (GstCcaReader *reader, const gchar *place, JsonNode *node, GQuark *kind);
