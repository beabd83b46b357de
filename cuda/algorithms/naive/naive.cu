/* gst-cca: every pixel united by itself, the baseline
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Union-find on pixels (Komura, Computer Physics Communications 194, 2015; Playne & Hawick, IEEE TPDS 29, 2018); each
 * pixel votes for features: the "naive" of Lemaitre, Hennequin & Lacassagne, ICASSP 2021, section 2.
 */
#include "cuda/algorithms/segments/pixels.cuh"

/* Unites pixels with their neighbours on the left and above, a warp for each word. */
extern "C" __global__ void
cca_unite_pixels (const CcaSegmentsParams p)
{
  trigger_then_sync ();
  const uint32_t y = warp_index () / p.planes.row_words, i = warp_index () % p.planes.row_words;
  const uint32_t bit = 1u << lane_index (), id = pixel_id (p, y, i * 32 + lane_index ());

  if (y >= p.planes.height)
    return;
  if (load_word<uint32_t> (p.planes, y, i).joins & bit)
    unite_segments<false> (p, id, id - 1);
  if (y > 0)
    unite_links<Pixels, false> (p, y, i, bit);
}
