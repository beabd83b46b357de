/* gst-cca: how well tracks keep identities: IDF1
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Ristani, Solera, Zou, Cucchiara & Tomasi, "Performance Measures and a Data Set for Multi-Target, Multi-Camera
 * Tracking", ECCV 2016 workshops, section 3: each true identity is paired with at most one track such that the most
 * boxes agree, in a frame if their intersection over union is at least 0.5; IDF1 is the F1 score of these boxes.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "scenes.h"

typedef struct Identity Identity;

/* Makes an evaluation without frames; failures abort the program. */
Identity *identity_new (void);
void identity_free (Identity *identity);

/* Adds a frame: the true boxes and the tracks'. */
void identity_add (Identity *identity, const SceneBox *truth, size_t n_truth, const SceneBox *tracks, size_t n_tracks);

/* Returns IDF1 of the frames so far, 0…1. */
double identity_f1 (const Identity *identity);
