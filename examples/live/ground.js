// gst-cca: the place on flat ground of a point of the picture, as ccazones computes it
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Follows gst/ground/homography.c step by step, so that a preview shows what ccazones will measure: the normalised
// direct linear transformation (Hartley 1997), then Levenberg's and Marquardt's steps to the least squares in the
// picture. Points are { image: [x, y], place: [x, y] }, in pixels and in metres. A matrix is 9 numbers, row by row.

const LEAST_SPREAD = 0.005;
const LEAST_DEPTH = 1e-6;
const MAX_STEPS = 50;
const N_FREE = 8;

/** Why points do not fit: kind is few, repeated, line, mirrored or horizon; at has the indices of the points at fault. */
export class Misfit extends Error {
  constructor(kind, ...at) {
    const names = at.map((i) => `point ${i + 1}`);
    super({
      few: 'A ground needs four points at least.',
      repeated: `In the picture or on the ground, ${names[0]} is where ${names[1]} is.`,
      line: `All points${at.length ? ` but ${names[0]}` : ''} lie on a line; move one beside it.`,
      mirrored: 'The places are a mirror image of the picture: seen from above, y must point to the left of x.',
      horizon: 'The horizon would pass between the points; check their order and their distances.',
    }[kind]);
    this.kind = kind;
    this.at = at;
  }
}

/** Fits { toImage, toGround } to four points or more; throws Misfit. */
export function fit(points) {
  check(points);
  const ground = similarityOf(points.map(({ place }) => place));
  const image = similarityOf(points.map((point) => point.image));
  const pairs = points.map((point) => [normalise(ground, point.place), normalise(image, point.image)]);
  let h = leastEigenvector(sumsOf(pairs));
  if (!(Math.abs(h[8]) > LEAST_DEPTH)) throw new Misfit('horizon');
  h = h.map((value) => value / h[8]);
  checkDepths(pairs, h);
  h = refine(pairs, h);
  checkDepths(pairs, h);
  if (!(determinant(h) < 0)) throw new Misfit('mirrored');
  const { scale, centre: [x, y] } = ground;
  const [back, [u, v]] = [1 / image.scale, image.centre];
  const part = multiply(h, [scale, 0, -scale * x, 0, scale, -scale * y, 0, 0, 1]);
  const toImage = multiply([back, 0, u, 0, back, v, 0, 0, 1], part);
  return { toImage, toGround: inverse(toImage) };
}

/** The image of a point under a matrix; null behind the camera, and on or above the horizon. */
export function project(h, [x, y]) {
  const w = h[6] * x + h[7] * y + h[8];
  return w > 0 ? [(h[0] * x + h[1] * y + h[2]) / w, (h[3] * x + h[4] * y + h[5]) / w] : null;
}

/** The error of a fit at a point, in pixels and in metres. */
export function residual({ toImage, toGround }, { image, place }) {
  const [there, here] = [project(toImage, place), project(toGround, image)];
  if (!there || !here) return { pixels: Infinity, metres: Infinity };
  return { pixels: distance(there, image), metres: distance(here, place) };
}

function check(points) {
  if (points.length < 4) throw new Misfit('few');
  points.forEach((a, i) =>
    points.forEach((b, k) => {
      const isSame = (name) => a[name][0] === b[name][0] && a[name][1] === b[name][1];
      if (i < k && (isSame('image') || isSame('place'))) throw new Misfit('repeated', i, k);
    }),
  );
  for (const name of ['place', 'image']) {
    const all = points.map((point) => point[name]);
    if (areOnLine(all)) throw new Misfit('line');
    all.forEach((_, i) => {
      if (areOnLine(all.toSpliced(i, 1))) throw new Misfit('line', i);
    });
  }
}

function areOnLine(points) {
  const [mx, my] = meanOf(points);
  let [xx, xy, yy] = [0, 0, 0];
  for (const [x, y] of points) {
    xx += (x - mx) ** 2;
    xy += (x - mx) * (y - my);
    yy += (y - my) ** 2;
  }
  const half = (xx + yy) / 2;
  const root = Math.hypot((xx - yy) / 2, xy);
  return half - root <= LEAST_SPREAD ** 2 * (half + root);
}

function checkDepths(pairs, h) {
  const depths = pairs.map(([[x, y]]) => h[6] * x + h[7] * y + 1);
  const least = Math.min(...depths);
  if (!(least > LEAST_DEPTH * Math.max(...depths))) throw new Misfit('horizon', depths.indexOf(least));
}

function meanOf(points) {
  return [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis] / points.length, 0));
}

function distance([ax, ay], [bx, by]) {
  return Math.hypot(ax - bx, ay - by);
}

/** The similarity that moves the points' centre to 0 and scales their mean distance from it to √2. */
function similarityOf(points) {
  const centre = meanOf(points);
  const sum = points.reduce((total, point) => total + distance(point, centre), 0);
  return { centre, scale: (Math.SQRT2 * points.length) / sum };
}

function normalise({ centre, scale }, [x, y]) {
  return [(x - centre[0]) * scale, (y - centre[1]) * scale];
}

function sumsOf(pairs) {
  const sums = Array.from({ length: 9 }, () => Array(9).fill(0));
  for (const [[x, y], q] of pairs)
    for (const axis of [0, 1]) {
      const row = Array(9).fill(0);
      row.splice(3 * axis, 3, x, y, 1);
      row.splice(6, 3, -q[axis] * x, -q[axis] * y, -q[axis]);
      row.forEach((a, j) => row.forEach((b, k) => (sums[j][k] += a * b)));
    }
  return sums;
}

/** The eigenvector of the least eigenvalue of a symmetric matrix, which is destroyed, by Jacobi's rotations. */
function leastEigenvector(m) {
  const n = m.length;
  const v = m.map((_, i) => m.map((__, j) => Number(i === j)));
  const turn = (a, b, c, s) => [c * a - s * b, s * a + c * b];
  for (let sweep = 0; sweep < MAX_STEPS; sweep++)
    for (let p = 0; p < n; p++)
      for (let q = p + 1; q < n; q++) {
        const angle = 0.5 * Math.atan2(2 * m[p][q], m[q][q] - m[p][p]);
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        for (let k = 0; k < n; k++) {
          [m[k][p], m[k][q]] = turn(m[k][p], m[k][q], c, s);
          [v[k][p], v[k][q]] = turn(v[k][p], v[k][q], c, s);
        }
        for (let k = 0; k < n; k++) [m[p][k], m[q][k]] = turn(m[p][k], m[q][k], c, s);
      }
  const least = m.reduce((best, row, i) => (row[i] < m[best][best] ? i : best), 0);
  return v.map((row) => row[least]);
}

/** The normal equations of the distances in the picture, for all elements of h but the last, which stays 1. */
function equationsOf(pairs, h) {
  const normal = Array.from({ length: N_FREE }, () => Array(N_FREE).fill(0));
  const gradient = Array(N_FREE).fill(0);
  let sum = 0;
  for (const [[x, y], q] of pairs) {
    const w = h[6] * x + h[7] * y + h[8];
    for (const axis of [0, 1]) {
      const at = (h[3 * axis] * x + h[3 * axis + 1] * y + h[3 * axis + 2]) / w;
      const d = Array(N_FREE).fill(0);
      d.splice(3 * axis, 3, x / w, y / w, 1 / w);
      d.splice(6, 2, (-at * x) / w, (-at * y) / w);
      sum += (at - q[axis]) ** 2;
      d.forEach((a, j) => {
        gradient[j] += a * (at - q[axis]);
        d.forEach((b, k) => (normal[j][k] += a * b));
      });
    }
  }
  return { normal, gradient, sum };
}

/** Solves a symmetric system by Cholesky's factors; null if it is not positive definite. */
function solve(matrix, right) {
  const [m, x] = [matrix.map((row) => [...row]), [...right]];
  for (let i = 0; i < N_FREE; i++)
    for (let j = 0; j <= i; j++) {
      let sum = m[i][j];
      for (let k = 0; k < j; k++) sum -= m[i][k] * m[j][k];
      if (i === j && !(sum > 0)) return null;
      m[i][j] = i === j ? Math.sqrt(sum) : sum / m[j][j];
    }
  for (let i = 0; i < N_FREE; i++) {
    for (let k = 0; k < i; k++) x[i] -= m[i][k] * x[k];
    x[i] /= m[i][i];
  }
  for (let i = N_FREE - 1; i >= 0; i--) {
    for (let k = i + 1; k < N_FREE; k++) x[i] -= m[k][i] * x[k];
    x[i] /= m[i][i];
  }
  return x;
}

function refine(pairs, first) {
  let [h, now, damping] = [first, equationsOf(pairs, first), 1e-3];
  for (let step = 0; step < MAX_STEPS; step++) {
    const damped = now.normal.map((row, i) => row.with(i, row[i] * (1 + damping)));
    const change = solve(damped, now.gradient);
    if (!change) break;
    const tried = h.map((value, i) => value - (change[i] ?? 0));
    const then = equationsOf(pairs, tried);
    damping *= then.sum < now.sum ? 0.1 : 10;
    if (!(then.sum < now.sum)) continue;
    const isDone = now.sum - then.sum <= 1e-12 * now.sum;
    [h, now] = [tried, then];
    if (isDone) break;
  }
  return h;
}

function multiply(a, b) {
  return a.map((_, at) => {
    const [i, j] = [Math.floor(at / 3), at % 3];
    return a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  });
}

function determinant(m) {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

function inverse(m) {
  const d = determinant(m);
  return m.map((_, at) => {
    const [i, j] = [Math.floor(at / 3), at % 3];
    const [r, s, t, u] = [(j + 1) % 3, (j + 2) % 3, (i + 1) % 3, (i + 2) % 3];
    return (m[3 * r + t] * m[3 * s + u] - m[3 * r + u] * m[3 * s + t]) / d;
  });
}
