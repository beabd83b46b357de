/* gst-cca: is a camera well? Judges its frames against a view that is learned while it is
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "health.h"

#include "alignment.h"
#include "structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECOND UINT64_C (1000000000)
#define INTERVAL (SECOND / 5)
#define SLACK (SECOND / 100) /* frames may come a little early */
#define GLANCE_INTERVAL (INTERVAL / 2 - SLACK)
#define FIRST_LOOKS 10                   /* that make the view before its blocks are watched */
#define KNOWN_LOOKS 20                   /* and … */
#define KNOWN_TIME (10 * SECOND - SLACK) /* … before anything is judged by it: until then people may be part of it */
#define RELIABLE 0.7                     /* how often a block must have shown its structure */
#define LONGEST_MEMORY 300               /* looks */
#define VOTE_KEPT 0.7                    /* of the votes of the looks before */
#define DOUBT 0.5                        /* votes for trouble, by those for well */

#define DARK_PART 0.97
#define BRIGHT_PART 0.3
#define BRIGHT_MORE 0.25                 /* than the view */
#define BRIGHT_GONE 0.4                  /* part of the structure that is gone with it */
#define EXPOSED (140 * CCA_PICTURE_SPAN) /* samples: what is darker in the view is not white by exposure */
#define LEAST_DARKER 0.02                /* part of the view that must be, to tell */
#define DARKER_WHITE 0.4                 /* part of that which is white if something blinds the camera */
#define MOST_GAIN 2                      /* of a lamp, or of exposure */
#define VEIL (30 * CCA_PICTURE_SPAN)     /* samples: by so much more stray light lifts what is dark */
#define EXPOSURE_TIME (10 * SECOND)      /* in which a camera finds its exposure */
#define UNIFORM CCA_PICTURE_SPAN         /* samples: a grey level */
#define BLANK 3.0                        /* grey levels: the deviation of a picture that shows nothing */
#define BLANK_TIME (10 * SECOND)         /* for which a stream may begin with nothing */
#define SEARCH_INTERVAL (SECOND - SLACK) /* while a search finds what the last one did */
#define SEARCH_AGAIN 0.1                 /* less correlation than when a search found no trouble */
#define LEAST_BLOCKS 8                   /* with structure, for a view to be known again */
#define SUSPECT 0.25                     /* part of the structure that is gone: worth a search for it */
#define SUSPECT_CORRELATION 0.85         /* the same by the correlation, as a part of the usual one */
#define LATELY 0.1                       /* weight of a look in the recent mean */
#define STILL_GONE 0.4                   /* part of the structure that is gone, of a view that was */
#define GONE 0.6                         /* part of the structure that is gone: it is no passing object */
#define GONE_SOFT 0.4                    /* the same where little detail is left */
#define SOFT_TEXTURED 0.65               /* of the view's short rows with contrast */
#define SOFT_REPLACED 0.5
#define GONE_BEHIND 0.75          /* the same where an object of strong structure may pass */
#define GONE_FROM_ALIKE 0.6       /* the same where the strongest structure is still there */
#define STRONG 1.6                /* structure, by the view's */
#define ALIKE 0.6                 /* the correlation of a view that is still the same */
#define FOUND 0.15                /* correlation of the view that has moved, … */
#define FOUND_PART 0.4            /* … also as a part of the usual one */
#define FOUND_MORE 0.08           /* than where it was, … */
#define FOUND_MORE_ROLLED 0.14    /* … and rolled or zoomed: of so many ways, one fits by chance */
#define FOUND_KEPT 0.28           /* part of the structure that shows there, … */
#define FOUND_CLEAR 0.6           /* … or so much of the usual correlation, if that is … */
#define LEAST_CLEAR 0.2           /* … so much */
#define LEAST_MOTION 0.02         /* of the frame's size */
#define IN_PLACE 0.01             /* of the frame's size: a camera that does not sway */
#define SWAYS 0.6                 /* correlation of a view that only sways or drifts, as a part of the usual one */
#define SWAYS_MORE 0.05           /* than where it was */
#define MOST_DRIFT 0.08           /* of the frame's size, in the time that the view needs to follow */
#define MOST_EARLY_DRIFT 0.1      /* between two looks at a view that is not known so far, … */
#define EARLY 0.4                 /* … and the correlation that tells it */
#define SOMETHING_ELSE 0.7        /* how much a picture is like another scene */
#define BLURRED 0.72              /* of the view's sharpness */
#define FEW_TEXTURED 0.15         /* of the view's short rows with contrast */
#define FROZEN_KNOWN (3 * SECOND) /* of a view before it can freeze */
#define FROZEN_LONGER 3           /* than the frames that were the same while well */

typedef struct
{
  uint32_t n_looks;
  bool known;
  float mean[CCA_PICTURE_MOST];
  int16_t samples[CCA_PICTURE_MOST];   /* the mean, rounded */
  float weights[CCA_STRUCTURE_BLOCKS]; /* how often a block shows its structure */
  double bright, lowest, textured, sharpness, correlation, correlation_lately;
  double drift_x, drift_y;      /* that the view followed lately, pixels, … */
  double way;                   /* … and how far, there and back, as a part of the frame's size */
  uint64_t begin, longest_same; /* ns */
} View;

/* Causes of much white in a picture. */
typedef enum
{
  LIGHT_USUAL,    /* it has not much more white than the view */
  LIGHT_HARMLESS, /* the view's structure shows all the same */
  LIGHT_SETTLES,  /* exposure or a lamp: the camera may still find its exposure */
  LIGHT_BLINDS,
} Light;

struct CcaHealth
{
  CcaPictureGrid grid;
  View view;
  CcaPicture pictures[2]; /* the last one and this one, in turn */
  unsigned turn;
  bool looked; /* there is a last picture */
  bool begun;
  uint64_t begin, last, same_since; /* of looks, ns */
  uint64_t next;                    /* when a frame is due */
  uint64_t glanced;                 /* the last look or glance, ns */
  Light light;                      /* of the last look */
  uint64_t settles_since;           /* ns; UINT64_MAX: the light is another */

  double votes[CCA_HEALTH_STATES], since[CCA_HEALTH_STATES]; /* looks: lately; since pending_since */
  CcaHealthFinding findings[CCA_HEALTH_STATES];              /* the last of each state */
  CcaHealthState state, pending;
  bool doubtful;             /* the last look or glance does not say that the camera is well */
  CcaHealthFinding searched; /* what the last search for a view found, … */
  double searched_in;        /* … in a picture of this correlation with it … */
  bool in_place;             /* … where the view was in its place … */
  uint64_t searched_at;      /* … and when, ns */
  uint64_t state_since, pending_since;
};

/* --- Life ---------------------------------------------------------------------------------------------- */

CcaHealth *
cca_health_new (uint32_t width, uint32_t height)
{
  CcaHealth *health = calloc (1, sizeof *health);

  if (!health)
    return NULL;
  cca_picture_grid_init (&health->grid, width, height);
  health->settles_since = UINT64_MAX;
  for (unsigned i = 0; i < CCA_HEALTH_STATES; i++)
    health->findings[i].state = (CcaHealthState) i;
  return health;
}

void
cca_health_free (CcaHealth *health)
{
  free (health);
}

/* Looks come every interval on average, whatever the frames' rate. */
static void
set_next (CcaHealth *health, uint64_t time)
{
  const bool late = !health->looked || time >= health->next + INTERVAL;

  health->next = (late ? time : health->next) + INTERVAL;
}

static void
forget_view (CcaHealth *health)
{
  health->view = (View) { 0 };
}

void
cca_health_interrupt (CcaHealth *health)
{
  health->looked = false;
}

void
cca_health_set_finding (CcaHealth *health, const CcaHealthFinding *finding)
{
  health->findings[finding->state] = *finding;
  health->state = health->pending = finding->state;
  health->state_since = health->pending_since = health->last;
  memset (health->votes, 0, sizeof health->votes);
  health->votes[finding->state] = 1;
}

const CcaHealthFinding *
cca_health_finding (const CcaHealth *health)
{
  return &health->findings[health->state];
}

bool
cca_health_is_doubtful (const CcaHealth *health)
{
  return health->state == CCA_HEALTH_WELL && health->doubtful;
}

bool
cca_health_is_due (const CcaHealth *health, uint64_t time)
{
  return !health->looked || time < health->last || time >= health->next - SLACK;
}

/* --- The view ------------------------------------------------------------------------------------------ */

static void
round_mean (View *view, const CcaPictureGrid *grid)
{
  for (uint32_t i = 0; i < grid->columns * grid->rows; i++)
    view->samples[i] = (int16_t) (view->mean[i] + 0.5F);
}

static void
learn (View *view, const CcaPictureGrid *grid, const CcaPicture *picture, const CcaStructure *structure, bool is_like,
       uint64_t time)
{
  double part;

  if (view->n_looks == 0) {
    view->begin = time;
    for (unsigned i = 0; i < CCA_STRUCTURE_BLOCKS; i++)
      view->weights[i] = 1;
  }
  if (view->n_looks < LONGEST_MEMORY)
    view->n_looks++;
  view->known = view->known || (view->n_looks >= KNOWN_LOOKS && time - view->begin >= KNOWN_TIME);
  part = 1.0 / (is_like ? view->n_looks : LONGEST_MEMORY);
  for (uint32_t i = 0; i < grid->columns * grid->rows; i++)
    view->mean[i] += (float) part * ((float) picture->samples[i] - view->mean[i]);
  round_mean (view, grid);
  view->bright += part * (picture->bright - view->bright);
  view->lowest += part * (picture->lowest - view->lowest);
  view->textured += part * (picture->textured - view->textured);
  view->sharpness += part * (picture->sharpness - view->sharpness);
  view->drift_x -= part * view->drift_x;
  view->drift_y -= part * view->drift_y;
  view->way -= part * view->way;
  if (view->n_looks <= FIRST_LOOKS)
    return;
  view->correlation += (structure->correlation - view->correlation) / (view->n_looks - FIRST_LOOKS);
  view->correlation_lately += LATELY * (structure->correlation - view->correlation_lately);
  for (unsigned i = 0; i < CCA_STRUCTURE_BLOCKS; i++)
    if (structure->textured[i])
      view->weights[i] += (float) part * ((float) structure->kept[i] - view->weights[i]);
}

static bool
is_reliable (const View *view, const CcaStructure *structure, unsigned block)
{
  return structure->textured[block] && view->weights[block] >= RELIABLE;
}

/* Whether enough of the view's structure is there at most times. */
static bool
can_be_known (const View *view, const CcaStructure *structure)
{
  unsigned n = 0;

  for (unsigned i = 0; i < CCA_STRUCTURE_BLOCKS; i++)
    n += is_reliable (view, structure, i);
  return view->known && n >= LEAST_BLOCKS;
}

/* The part of the view's reliable structure that a picture does not show. */
static double
missing_part (const View *view, const CcaStructure *structure)
{
  double all = 0, kept = 0;

  for (unsigned i = 0; i < CCA_STRUCTURE_BLOCKS; i++)
    if (is_reliable (view, structure, i)) {
      all += view->weights[i];
      kept += structure->kept[i] ? view->weights[i] : 0;
    }
  return all > 0 ? 1 - kept / all : 0;
}

/* --- A look -------------------------------------------------------------------------------------------- */

static CcaHealthFinding
found (CcaHealthState state, double evidence)
{
  return (CcaHealthFinding) { .state = state, .evidence = evidence };
}

/* Judges a picture by itself. */
static CcaHealthFinding
judge_alone (const View *view, const CcaPicture *picture)
{
  if (picture->highest - picture->lowest <= UNIFORM)
    return found (CCA_HEALTH_LOST, picture->deviation);
  if (picture->dark >= DARK_PART)
    return found (CCA_HEALTH_DARK, picture->dark);
  if (view->n_looks == 0 && picture->deviation < BLANK)
    return found (CCA_HEALTH_COVERED, 1);
  return found (CCA_HEALTH_WELL, 1);
}

static bool
has_much_white (const View *view, const CcaPicture *picture)
{
  return view->known && picture->bright >= BRIGHT_PART && picture->bright - view->bright >= BRIGHT_MORE;
}

/* Whether overexposure or a lamp in the scene may explain the white. Under both, dark parts of the view and of moving
 * objects stay darker than white; light that shines into the lens veils everything. */
static bool
may_be_exposure (const CcaHealth *health, const CcaPicture *picture)
{
  const View *view = &health->view;
  const uint32_t n = health->grid.columns * health->grid.rows;
  uint32_t n_darker = 0, n_white = 0;

  if (picture->lowest > MOST_GAIN * view->lowest + VEIL)
    return false;
  for (uint32_t i = 0; i < n; i++)
    if (view->samples[i] < EXPOSED) {
      n_darker++;
      n_white += cca_picture_is_bright (picture->samples[i]);
    }
  return n_darker < LEAST_DARKER * n || n_white < DARKER_WHITE * n_darker;
}

static Light
judge_light (CcaHealth *health, const CcaPicture *picture, bool is_hidden, uint64_t time)
{
  if (!has_much_white (&health->view, picture)) {
    health->settles_since = UINT64_MAX;
    return LIGHT_USUAL;
  }
  if (!is_hidden)
    return LIGHT_HARMLESS;
  if (!may_be_exposure (health, picture)) {
    health->settles_since = UINT64_MAX;
    return LIGHT_BLINDS;
  }
  if (health->settles_since > time)
    health->settles_since = time;
  return time - health->settles_since < EXPOSURE_TIME ? LIGHT_SETTLES : LIGHT_BLINDS;
}

static double
at_most_one (double value)
{
  return value < 1 ? value : 1;
}

/* Whether a picture without the view's structure shows another scene: structure everywhere, no more than the view has,
 * as detailed and as sharp. Dirt or a hand on the lens is neither in focus nor detailed. */
static bool
shows_other_scene (const View *view, const CcaPicture *picture, const CcaStructure *structure)
{
  return view->textured > 0 && view->sharpness > 0
         && structure->replaced * at_most_one (1 / structure->strength)
                    * at_most_one (picture->textured / view->textured * picture->sharpness / view->sharpness)
                >= SOMETHING_ELSE;
}

/* The part of the structure that must be gone before the view is. */
static double
least_missing (const CcaHealth *health, const CcaPicture *picture, const CcaStructure *structure)
{
  if (health->state == CCA_HEALTH_COVERED || health->state == CCA_HEALTH_MOVED)
    return STILL_GONE;
  if (structure->replaced < SOFT_REPLACED && picture->textured < SOFT_TEXTURED * health->view.textured)
    return GONE_SOFT;
  if (structure->correlation >= ALIKE)
    return GONE_FROM_ALIKE;
  return structure->strength >= STRONG && picture->textured >= STRONG * health->view.textured ? GONE_BEHIND : GONE;
}

static void
shift_view (View *view, const CcaPictureGrid *grid, const CcaAlignment *alignment)
{
  cca_alignment_shift (alignment, grid, view->mean);
  round_mean (view, grid);
}

/* Lets the view go with a camera that sways or drifts, unless it has gone far. Returns whether it did. */
static bool
follow_drift (View *view, const CcaPictureGrid *grid, const CcaAlignment *alignment)
{
  const double x = view->drift_x + alignment->shift_x, y = view->drift_y + alignment->shift_y;

  if (fabs (x) > MOST_DRIFT * grid->width || fabs (y) > MOST_DRIFT * grid->height)
    return false;
  view->drift_x = x;
  view->drift_y = y;
  view->way += cca_alignment_motion (alignment, grid);
  shift_view (view, grid, alignment);
  return true;
}

/* Whether a picture shows the view where an alignment says. */
static bool
confirms (const CcaHealth *health, const CcaPicture *picture, const CcaAlignment *alignment)
{
  const View *view = &health->view;
  int16_t aligned[CCA_PICTURE_MOST];
  CcaStructure structure;
  unsigned n_kept = 0;

  if (alignment->correlation < fmax (FOUND, FOUND_PART * view->correlation))
    return false;
  if (alignment->correlation >= fmax (LEAST_CLEAR, FOUND_CLEAR * view->correlation))
    return true;
  cca_alignment_apply (alignment, &health->grid, view->samples, aligned);
  cca_structure_compare (&structure, &health->grid, aligned, picture->samples);
  for (unsigned i = 0; i < CCA_STRUCTURE_BLOCKS; i++)
    n_kept += structure.kept[i];
  return n_kept >= FOUND_KEPT * structure.n_textured;
}

/* Lets a view that is not known so far go with its camera. */
static void
follow_early (CcaHealth *health, const CcaPicture *picture, const CcaStructure *structure)
{
  View *view = &health->view;
  CcaAlignment alignment;

  if (structure->correlation > 1 - SWAYS_MORE)
    return; /* no shift is better by that */
  alignment = cca_alignment_find (&health->grid, view->samples, picture->samples, -1);
  if (alignment.correlation >= EARLY && alignment.correlation >= alignment.here + SWAYS_MORE
      && cca_alignment_motion (&alignment, &health->grid) <= MOST_EARLY_DRIFT)
    shift_view (view, &health->grid, &alignment);
}

/* How far the view must be from its place to have moved, as a part of the frame's size: a camera that drifts may go
 * twice as far before that shows. */
static double
least_motion (const View *view)
{
  return LEAST_MOTION + fmin (LEAST_MOTION, view->way);
}

/* How much better than at its place a view must be where it was found. */
static double
least_more (const CcaAlignment *alignment)
{
  return alignment->angle != 0 || alignment->scale != 1 ? FOUND_MORE_ROLLED : FOUND_MORE;
}

/* Searches for a view of which a part is missing. */
static CcaHealthFinding
search_view (CcaHealth *health, const CcaPicture *picture, const CcaStructure *structure, double missing)
{
  View *view = &health->view;
  const CcaPictureGrid *grid = &health->grid;
  CcaAlignment alignment;
  bool is_far, is_found;

  alignment =
      cca_alignment_find (grid, view->samples, picture->samples, fmax (LEAST_CLEAR, FOUND_CLEAR * view->correlation));
  health->in_place = cca_alignment_motion (&alignment, grid) < IN_PLACE;
  is_far = cca_alignment_motion (&alignment, grid) >= least_motion (view);
  is_found = confirms (health, picture, &alignment);
  if (!is_far && is_found && alignment.correlation >= SWAYS * view->correlation
      && alignment.correlation >= alignment.here + SWAYS_MORE) {
    if (follow_drift (view, grid, &alignment))
      return found (CCA_HEALTH_WELL, 1 - missing);
    is_far = true;
  }
  if (is_far && is_found && alignment.correlation >= alignment.here + least_more (&alignment))
    return (CcaHealthFinding) {
      .state = CCA_HEALTH_MOVED,
      .evidence = missing,
      .is_found = true,
      .shift_x = alignment.shift_x,
      .shift_y = alignment.shift_y,
      .angle = alignment.angle,
      .scale = alignment.scale,
    };
  if (missing < least_missing (health, picture, structure))
    return found (CCA_HEALTH_WELL, 1 - missing);
  return found (shows_other_scene (view, picture, structure) ? CCA_HEALTH_MOVED : CCA_HEALTH_COVERED, missing);
}

/* Whether so much of the view is gone that it is worth a search. */
static bool
is_suspect (const View *view, const CcaStructure *structure)
{
  return missing_part (view, structure) >= SUSPECT || structure->correlation < SUSPECT_CORRELATION * view->correlation;
}

/* Whether the picture is suddenly less like the view: that may be the begin of trouble, and often is none. */
static bool
has_changed (const View *view, const CcaStructure *structure)
{
  return view->known && structure->correlation < SUSPECT_CORRELATION * view->correlation_lately;
}

/* Whether the last search for the view still says where it is. */
static bool
was_searched (const CcaHealth *health, const CcaStructure *structure, uint64_t time)
{
  const bool is_gone = health->state == CCA_HEALTH_COVERED || health->state == CCA_HEALTH_MOVED;
  const bool was_well = health->searched.state == CCA_HEALTH_WELL && health->in_place;

  return time - health->searched_at < SEARCH_INTERVAL
         && (is_gone || (was_well && structure->correlation > health->searched_in - SEARCH_AGAIN));
}

/* Judges which part of the view is missing, and whether it has moved. */
static CcaHealthFinding
judge_structure (CcaHealth *health, const CcaPicture *picture, const CcaStructure *structure, uint64_t time)
{
  const View *view = &health->view;
  const double missing = missing_part (view, structure);

  if (!is_suspect (view, structure))
    return found (CCA_HEALTH_WELL, 1 - missing);
  if (!was_searched (health, structure, time)) {
    health->searched = search_view (health, picture, structure, missing);
    health->searched_in = structure->correlation;
    health->searched_at = time;
  }
  return health->searched;
}

static double
relative_sharpness (const View *view, const CcaPicture *picture)
{
  return view->sharpness > 0 ? picture->sharpness / view->sharpness : 1;
}

static bool
is_blurred (const View *view, const CcaPicture *picture)
{
  return picture->textured < FEW_TEXTURED * view->textured || relative_sharpness (view, picture) < BLURRED;
}

/* Judges a picture against the learned view. White hides edges; then sharpness says nothing. */
static CcaHealthFinding
judge_view (CcaHealth *health, const CcaPicture *picture, const CcaStructure *structure, uint64_t time)
{
  const View *view = &health->view;
  const CcaHealthFinding finding = judge_structure (health, picture, structure, time);

  if (finding.state == CCA_HEALTH_WELL && health->light == LIGHT_USUAL && is_blurred (view, picture))
    return found (CCA_HEALTH_DEFOCUSED, relative_sharpness (view, picture));
  return finding;
}

/* Judges a picture by its light, and by its view. */
static CcaHealthFinding
judge_picture (CcaHealth *health, const CcaPicture *picture, const CcaStructure *structure, uint64_t time)
{
  const View *view = &health->view;
  const bool is_known = can_be_known (view, structure);
  const double missing = missing_part (view, structure);
  const CcaHealthFinding alone = judge_alone (view, picture);

  if (alone.state != CCA_HEALTH_WELL) {
    health->light = LIGHT_USUAL;
    health->settles_since = UINT64_MAX;
    return alone;
  }
  health->light = judge_light (health, picture, !is_known || missing >= BRIGHT_GONE, time);
  if (health->light == LIGHT_BLINDS)
    return found (CCA_HEALTH_BLINDED, picture->bright);
  if (health->light == LIGHT_SETTLES)
    return found (CCA_HEALTH_WELL, 1 - missing);
  return is_known ? judge_view (health, picture, structure, time) : alone;
}

/* Keeps the time of equal pictures. */
static CcaHealthFinding
judge_change (CcaHealth *health, const CcaHealthParams *params, bool same, uint64_t time, CcaHealthFinding finding)
{
  View *view = &health->view;
  uint64_t passed, least;

  if (!same) {
    if (health->state == CCA_HEALTH_WELL && health->looked && health->last - health->same_since > view->longest_same)
      view->longest_same = health->last - health->same_since;
    health->same_since = time;
    return finding;
  }
  passed = time - health->same_since;
  least = FROZEN_LONGER * view->longest_same;
  least = least > params->frozen_time ? least : params->frozen_time;
  if (params->frozen_time == 0 || finding.state != CCA_HEALTH_WELL || !view->known
      || health->same_since - view->begin < FROZEN_KNOWN || passed < least)
    return finding;
  return found (CCA_HEALTH_FROZEN, (double) passed / SECOND);
}

/* Whether the picture has stood still for longer than it did while the camera was well. */
static bool
may_be_frozen (const CcaHealth *health, const CcaHealthParams *params, uint64_t time)
{
  return params->frozen_time > 0 && health->view.known && time - health->same_since > health->view.longest_same;
}

static bool
has_structure (const CcaPictureGrid *grid)
{
  return grid->columns > 1 && grid->rows > 1;
}

static CcaStructure
compare (const CcaHealth *health, const CcaPicture *picture)
{
  CcaStructure structure = { 0 };

  if (has_structure (&health->grid))
    cca_structure_compare (&structure, &health->grid, health->view.samples, picture->samples);
  return structure;
}

/* Names the state that a picture shows, and learns from one that shows the camera well. */
static CcaHealthFinding
judge (CcaHealth *health, const CcaHealthParams *params, const CcaPicture *picture, bool same, uint64_t time)
{
  View *view = &health->view;
  CcaStructure structure = compare (health, picture);
  CcaHealthFinding finding = judge_picture (health, picture, &structure, time);

  if (view->n_looks > 0 && !view->known && finding.state == CCA_HEALTH_WELL && has_structure (&health->grid))
    follow_early (health, picture, &structure);
  finding = judge_change (health, params, same, time, finding);
  health->doubtful = finding.state != CCA_HEALTH_WELL || health->light == LIGHT_SETTLES
                     || has_changed (view, &structure) || may_be_frozen (health, params, time);
  if (finding.state == CCA_HEALTH_WELL && health->light != LIGHT_SETTLES)
    learn (view, &health->grid, picture, &structure, !view->known || missing_part (view, &structure) < STILL_GONE,
           time);
  return finding;
}

/* --- The state ----------------------------------------------------------------------------------------- */

/* Returns the trouble that most looks name. */
static CcaHealthState
worst_of (const double *looks)
{
  CcaHealthState worst = CCA_HEALTH_COVERED;

  for (unsigned i = 0; i < CCA_HEALTH_STATES; i++)
    if (i != CCA_HEALTH_WELL && looks[i] > looks[worst])
      worst = (CcaHealthState) i;
  return worst;
}

static double
votes_for_trouble (const CcaHealth *health)
{
  double troubles = 0;

  for (unsigned i = 0; i < CCA_HEALTH_STATES; i++)
    troubles += i != CCA_HEALTH_WELL ? health->votes[i] : 0;
  return troubles;
}

/* Whether it is well or, if the troubles have more votes together, the worst one. */
static CcaHealthState
most_voted (const CcaHealth *health)
{
  return health->votes[CCA_HEALTH_WELL] >= votes_for_trouble (health) ? CCA_HEALTH_WELL : worst_of (health->votes);
}

static bool
decide (CcaHealth *health, const CcaHealthParams *params, const CcaHealthFinding *finding, uint64_t time)
{
  CcaHealthState best;
  uint64_t least;

  health->findings[finding->state] = *finding;
  for (unsigned i = 0; i < CCA_HEALTH_STATES; i++)
    health->votes[i] = VOTE_KEPT * health->votes[i] + (i == finding->state);
  best = most_voted (health);
  /* Looks may name one trouble after another; the time counts from the end of the last state. */
  if (best == health->state || health->pending == health->state
      || (best == CCA_HEALTH_WELL) != (health->pending == CCA_HEALTH_WELL)) {
    health->pending_since = time;
    memset (health->since, 0, sizeof health->since);
  }
  health->since[finding->state]++;
  health->pending = best;
  least = best == CCA_HEALTH_WELL ? params->off_time : best == CCA_HEALTH_FROZEN ? 0 : params->on_time;
  if (best == health->state || time - health->pending_since < least)
    return false;
  if (health->state == CCA_HEALTH_WELL && best != CCA_HEALTH_FROZEN)
    best = worst_of (health->since);
  health->state = best;
  health->state_since = time;
  return true;
}

/* Whether a stream has not shown a picture so far, and may still begin to. */
static bool
may_still_begin (const CcaHealth *health, const CcaHealthFinding *finding, uint64_t time)
{
  return health->view.n_looks == 0 && finding->state == CCA_HEALTH_COVERED && time - health->begin < BLANK_TIME;
}

bool
cca_health_look (CcaHealth *health, const CcaHealthParams *params, const uint8_t *luma, ptrdiff_t stride, uint64_t time)
{
  CcaPicture *picture = &health->pictures[health->turn], *last = &health->pictures[!health->turn];
  CcaHealthFinding finding;
  bool same, changed;

  cca_picture_read (picture, &health->grid, luma, stride);
  same = health->looked && cca_picture_equals (picture, last, &health->grid);
  if (!health->looked)
    health->same_since = time;
  if (health->state == CCA_HEALTH_MOVED && params->accept_time > 0 && time - health->state_since >= params->accept_time)
    forget_view (health);
  if (!health->begun)
    health->begin = time;
  health->begun = true;
  finding = judge (health, params, picture, same, time);
  health->turn = !health->turn;
  health->looked = true;
  set_next (health, time);
  health->last = health->glanced = time;
  changed = !may_still_begin (health, &finding, time) && decide (health, params, &finding, time);
  health->doubtful = health->doubtful || votes_for_trouble (health) > DOUBT * health->votes[CCA_HEALTH_WELL];
  return changed;
}

void
cca_health_glance (CcaHealth *health, const CcaHealthParams *params, const uint8_t *luma, ptrdiff_t stride,
                   uint64_t time)
{
  CcaPicture *picture = &health->pictures[health->turn]; /* that the next look reads anew */
  const CcaPicture *last = &health->pictures[!health->turn];
  const View *view = &health->view;
  CcaStructure structure;

  if (health->state != CCA_HEALTH_WELL || health->doubtful || time - health->glanced < GLANCE_INTERVAL)
    return;
  health->glanced = time;
  cca_picture_read (picture, &health->grid, luma, stride);
  structure = compare (health, picture);
  health->doubtful =
      judge_alone (view, picture).state != CCA_HEALTH_WELL || has_much_white (view, picture)
      || (can_be_known (view, &structure) && (is_suspect (view, &structure) || is_blurred (view, picture)))
      || has_changed (view, &structure)
      || (cca_picture_equals (picture, last, &health->grid) && may_be_frozen (health, params, time));
}
