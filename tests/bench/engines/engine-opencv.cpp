/* gst-cca: OpenCV's connected components as peers of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * One thread and OpenCV's default algorithm for the connectivity, as a caller who writes the call gets it. The
 * matrices live from image to image, so that no call pays for their allocation.
 */
#include <opencv2/core.hpp>
#include <opencv2/core/utility.hpp>
#include <opencv2/imgproc.hpp>

#include <new>
#include <vector>

#include "engine-peers.h"

namespace {

struct State
{
  int connectivity;
  bool with_stats;
  std::vector<cv::Mat> inputs, labels;
  cv::Mat stats, centroids;
  guint32 n_components;
};

gpointer
open_state (const BenchJob *job, bool with_stats, GError **error)
{
  try {
    auto *state = new State{ static_cast<int> (job->connectivity), with_stats, {}, {}, {}, {}, 0 };
    const int rows = static_cast<int> (job->height), columns = static_cast<int> (job->width);

    cv::setNumThreads (1);
    for (guint i = 0; i < job->n_inputs; i++)
      state->inputs.emplace_back (rows, columns, CV_8UC1, job->inputs[i]);
    for (guint i = 0; i < job->n_outputs; i++)
      state->labels.emplace_back (rows, columns, CV_32SC1, job->outputs[i]);
    return state;
  } catch (const std::exception &exception) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "OpenCV: %s", exception.what ());
    return nullptr;
  }
}

gpointer
open_stats (const BenchJob *job, GError **error)
{
  return open_state (job, true, error);
}

gpointer
open_labels (const BenchJob *job, GError **error)
{
  return open_state (job, false, error);
}

gboolean
run (gpointer data, guint input, guint output, GError **error)
{
  auto *state = static_cast<State *> (data);

  try {
    cv::Mat &labels = state->labels[output];
    const int n = state->with_stats
                      ? cv::connectedComponentsWithStats (state->inputs[input], labels, state->stats, state->centroids,
                                                          state->connectivity, CV_32S)
                      : cv::connectedComponents (state->inputs[input], labels, state->connectivity, CV_32S);

    state->n_components = static_cast<guint32> (n - 1); /* OpenCV counts the background */
    return TRUE;
  } catch (const std::exception &exception) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "OpenCV: %s", exception.what ());
    return FALSE;
  }
}

gboolean
wait (gpointer data, guint32 *n_components, GError **)
{
  *n_components = static_cast<State *> (data)->n_components;
  return TRUE;
}

const char *
device (gpointer)
{
  return "OpenCV " CV_VERSION;
}

void
close_state (gpointer data)
{
  delete static_cast<State *> (data);
}

const BenchEngine engine_stats = { open_stats, run, wait, nullptr, nullptr, nullptr, device, close_state };
const BenchEngine engine_labels = { open_labels, run, wait, nullptr, nullptr, nullptr, device, close_state };

} // namespace

const BenchPeer bench_peer_opencv_stats = { "opencv-stats",
                                            "OpenCV " CV_VERSION ", connectedComponentsWithStats",
                                            BENCH_LABELS,
                                            CCA_MEMORY_HOST,
                                            0,
                                            TRUE,
                                            nullptr,
                                            &engine_stats };
const BenchPeer bench_peer_opencv_labels = { "opencv-labels",
                                             "OpenCV " CV_VERSION ", connectedComponents: labels without features",
                                             BENCH_LABELS,
                                             CCA_MEMORY_HOST,
                                             0,
                                             TRUE,
                                             nullptr,
                                             &engine_labels };
