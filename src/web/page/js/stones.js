// Where the stones of a pit lie, so that they can be counted: the patterns of a die up to six, then rings.

const DICE = {
  1: [[0, 0]],
  2: [[-13, 13], [13, -13]],
  3: [[-15, 11], [15, 11], [0, -15]],
  4: [[-14, -14], [14, -14], [-14, 14], [14, 14]],
  5: [[-17, -17], [17, -17], [0, 0], [-17, 17], [17, 17]],
  6: [[-13, -22], [13, -22], [-13, 0], [13, 0], [-13, 22], [13, 22]],
};

/** How the stones are spread for a count up to `most`: their radius, the distance of the rings, the share of the outer ring. */
const SIZES = [
  { most: 6, radius: 9.5 },
  { most: 19, radius: 7.2, ring: 15.5, rings: 2 },
  { most: 37, radius: 5.6, ring: 12.4, rings: 3 },
  { most: 48, radius: 4.7, ring: 10.2, rings: 4 },
];
const SHARE = { 2: 0.68, 3: 0.49, 4: 0.39 };

/** The places of `count` stones in a pit of radius 50 about the origin: x, y, the radius of a stone, the ring it is in. */
export function places(count) {
  if (count <= 0) return [];
  const size = SIZES.find((candidate) => count <= candidate.most) ?? SIZES.at(-1);
  if (count <= 6) return DICE[count].map(([x, y]) => ({ x, y, radius: size.radius, ring: 0 }));
  const found = [];
  let left = count;
  for (let ring = size.rings; ring >= 2; ring -= 1) {
    const here = Math.min(6 * ring, Math.ceil(left * SHARE[ring]));
    found.unshift(...circle(here, ring * size.ring, size.radius, ring));
    left -= here;
  }
  return [...core(left, size), ...found];
}

/** Up to seven stones in the middle. */
function core(count, size) {
  const middle = count === 7 || count === 1 ? [{ x: 0, y: 0, radius: size.radius, ring: 0 }] : [];
  const around = count - middle.length;
  const distance = around <= 3 ? size.ring * 0.62 : around === 4 ? size.ring * 0.8 : size.ring;
  return [...middle, ...circle(around, distance, size.radius, 1)];
}

function circle(count, distance, radius, ring) {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * (i + 0.5 * (ring % 2))) / count - Math.PI / 2;
    return { x: round(distance * Math.cos(angle)), y: round(distance * Math.sin(angle)), radius, ring };
  });
}

const round = (value) => Math.round(value * 10) / 10;
