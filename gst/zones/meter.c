/* gst-cca: means and shares over a window of time
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "meter.h"

#include <string.h>

void
gst_cca_meter_pass (GstCcaMeter *meter, uint64_t window, uint64_t ns, bool occupied)
{
  const uint64_t length = window / GST_CCA_METER_SLOTS > 0 ? window / GST_CCA_METER_SLOTS : 1;

  if (ns / length > GST_CCA_METER_SLOTS) { /* all slots are too old */
    memset (meter, 0, sizeof *meter);
    ns = length * GST_CCA_METER_SLOTS - 1;
  }
  while (ns > 0) {
    const uint64_t left = length - meter->in_slot, step = ns < left ? ns : left;
    GstCcaMeterSlot *slot = &meter->slots[meter->slot];

    slot->passed += step / 1e9;
    slot->occupied += occupied ? step / 1e9 : 0.0;
    ns -= step;
    meter->in_slot += step;
    if (meter->in_slot < length)
      continue;
    meter->in_slot = 0;
    meter->slot = (meter->slot + 1) % GST_CCA_METER_SLOTS;
    meter->slots[meter->slot] = (GstCcaMeterSlot) { 0 };
  }
}

void
gst_cca_meter_add_speed (GstCcaMeter *meter, double speed, double weight)
{
  meter->slots[meter->slot].speeds += speed * weight;
  meter->slots[meter->slot].weights += weight;
}

void
gst_cca_meter_add_event (GstCcaMeter *meter)
{
  meter->slots[meter->slot].events++;
}

GstCcaMeterSlot
gst_cca_meter_sum (const GstCcaMeter *meter)
{
  GstCcaMeterSlot sum = { 0 };

  for (unsigned i = 0; i < GST_CCA_METER_SLOTS; i++) {
    const GstCcaMeterSlot *slot = &meter->slots[i];

    sum.speeds += slot->speeds;
    sum.weights += slot->weights;
    sum.occupied += slot->occupied;
    sum.passed += slot->passed;
    sum.events += slot->events;
  }
  return sum;
}
