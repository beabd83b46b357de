/* gst-cca: means and shares over a window of time
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define GST_CCA_METER_SLOTS 60

typedef struct
{
  double speeds, weights;  /* a sum of weighted speeds, and of their weights */
  double occupied, passed; /* seconds */
  uint64_t events;
} GstCcaMeterSlot;

/* The window is made of slots; the oldest is emptied when time reaches it. All zeros is a meter that saw nothing. */
typedef struct
{
  GstCcaMeterSlot slots[GST_CCA_METER_SLOTS];
  uint64_t in_slot; /* time in the slot that fills, ns */
  unsigned slot;
} GstCcaMeter;

/* Lets time pass in a window of so many ns, in which the place was occupied or not. */
void gst_cca_meter_pass (GstCcaMeter *meter, uint64_t window, uint64_t ns, bool occupied);

void gst_cca_meter_add_speed (GstCcaMeter *meter, double speed, double weight);
void gst_cca_meter_add_event (GstCcaMeter *meter);

/* Returns the sums over the window. */
GstCcaMeterSlot gst_cca_meter_sum (const GstCcaMeter *meter);
