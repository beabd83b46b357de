/* gst-cca: writes XML, by libxml2
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaonvifdocument.h"

#include <math.h>

#define NINE_DIGITS 1e9

void
gst_cca_onvif_xml_begin (GstCcaOnvifXml *xml)
{
  xml->text = xmlBufferCreate ();
  xml->writer = xml->text ? xmlNewTextWriterMemory (xml->text, 0) : NULL;
  xml->failed = !xml->writer || xmlTextWriterStartDocument (xml->writer, NULL, "UTF-8", NULL) < 0;
}

static void
free_text (gpointer text)
{
  xmlFree (text);
}

GstBuffer *
gst_cca_onvif_xml_end (GstCcaOnvifXml *xml)
{
  GstBuffer *buffer = NULL;

  xml->failed = xml->failed || xmlTextWriterEndDocument (xml->writer) < 0;
  if (xml->writer)
    xmlFreeTextWriter (xml->writer);
  if (!xml->failed) {
    const gsize size = (gsize) xmlBufferLength (xml->text);
    xmlChar *text = xmlBufferDetach (xml->text);

    buffer = gst_buffer_new_wrapped_full (0, text, size, 0, size, text, free_text);
  }
  if (xml->text)
    xmlBufferFree (xml->text);
  return buffer;
}

void
gst_cca_onvif_xml_open (GstCcaOnvifXml *xml, const gchar *name)
{
  xml->failed = xml->failed || xmlTextWriterStartElement (xml->writer, BAD_CAST name) < 0;
}

void
gst_cca_onvif_xml_close (GstCcaOnvifXml *xml)
{
  xml->failed = xml->failed || xmlTextWriterEndElement (xml->writer) < 0;
}

/* Writes an attribute whose characters are known to be fit. */
static void
write_attribute (GstCcaOnvifXml *xml, const gchar *name, const gchar *value)
{
  xml->failed = xml->failed || xmlTextWriterWriteAttribute (xml->writer, BAD_CAST name, BAD_CAST value) < 0;
}

/* As the production Char of XML 1.0 has it. */
static gboolean
is_xml (gunichar c)
{
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0xD7FF) || (c >= 0xE000 && c <= 0xFFFD)
         || (c >= 0x10000 && c <= 0x10FFFF);
}

void
gst_cca_onvif_xml_text (GstCcaOnvifXml *xml, const gchar *name, const gchar *value)
{
  g_autofree gchar *valid = g_utf8_make_valid (value, -1);
  g_autoptr (GString) text = g_string_new (NULL);

  for (const gchar *p = valid; *p; p = g_utf8_next_char (p)) {
    const gunichar c = g_utf8_get_char (p);

    g_string_append_unichar (text, is_xml (c) ? c : 0xFFFD);
  }
  write_attribute (xml, name, text->str);
}

void
gst_cca_onvif_xml_number (GstCcaOnvifXml *xml, const gchar *name, gdouble value)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  /* Most are whole pixels; printing a double takes much longer. */
  if (value >= 0.0 && value < NINE_DIGITS && value == floor (value))
    gst_cca_onvif_xml_integer (xml, name, (guint64) value);
  else if (isfinite (value))
    write_attribute (xml, name, g_ascii_formatd (text, sizeof text, "%.9g", value));
  else
    write_attribute (xml, name, isnan (value) ? "NaN" : value > 0.0 ? "INF" : "-INF");
}

void
gst_cca_onvif_xml_integer (GstCcaOnvifXml *xml, const gchar *name, guint64 value)
{
  gchar text[24];
  gchar *first = text + sizeof text;

  *--first = '\0';
  do
    *--first = (gchar) ('0' + value % 10);
  while (value /= 10);
  write_attribute (xml, name, first);
}

void
gst_cca_onvif_xml_content (GstCcaOnvifXml *xml, const gchar *content)
{
  /* xmlTextWriterWriteString() would hide a failed allocation; this text needs no escapes. */
  xml->failed = xml->failed || xmlTextWriterWriteRaw (xml->writer, BAD_CAST content) < 0;
}
