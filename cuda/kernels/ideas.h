/* gst-cca: ideas of "patches" that a build can go without, to measure what each is worth
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * -Dcuda-without=slabs,… of Meson; tests/bench/ablation.sh measures them in turn. Results are the same without.
 */
#ifndef CCA_IDEAS_H
#define CCA_IDEAS_H

#define CCA_IDEA_SLABS 0x01   /* rows that repeat the one above share its runs */
#define CCA_IDEA_BOXES 0x02   /* patches of one run, or all foreground, and groups of whole patches go a short way */
#define CCA_IDEA_STORES 0x04  /* a run's first link is a store, not a union */
#define CCA_IDEA_BRIDGES 0x08 /* no union where a run yet above has united both */
#define CCA_IDEA_JUMPS 0x10   /* roots are found by pointer jumping */
#define CCA_IDEA_SIDES 0x20   /* borders that are one component's say so, without a rim */
#define CCA_IDEA_MEETING 0x40 /* votes for one component are added up in the warp */
#define CCA_IDEA_PAIRS 0x80   /* two lanes load a row in one access */
#define CCA_IDEA_EARLY 0x100  /* kernels start while the one before runs */

/* The ideas that this build goes without. */
#ifndef CCA_WITHOUT
#define CCA_WITHOUT 0
#endif
#define CCA_USES(idea) (!(CCA_WITHOUT & CCA_IDEA_##idea))

#endif
