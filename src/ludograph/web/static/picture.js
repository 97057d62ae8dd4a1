// The picture of a board as SVG: cells with fills, zones, strokes, labels and pieces, or sketches in their place.
//
// Cells of one color are one path, so that a board of ten thousand stays fluid.

import { clamp, EMPTY, FEWEST, SIDE, turned, unturned, upright } from "./cells.js";
import { at, make } from "./page.js";

const SIGNS = 3000; // more cells bear no signs
const BLOCK = 12; // cells
const [EDGE, RIM] = [4, 5]; // of a palette's entry: colors of the line around a cell and of its side
const RISE = 34; // how far the side of a raised cell is seen

/** Draws the picture of a board's state into its layers. */
export class Picture {
  /**
   * @param {Record<string, SVGElement>} layers
   * @param {import("./board.js").BoardState} state
   */
  constructor(layers, state) {
    this.layers = layers;
    this.state = state;
    this.interned = new Map(); // shapes by what they are
    this.drawn = new Map(); // elements of pieces by what and where they are
    this.grounds = ""; // the ground that is drawn
    this.shapes = state.shapes; // what pieces look like on the picture that is drawn, by number
    this.fat = 1; // the width of lines, less on large cells
  }

  /** Takes pieces and ground away. */
  clear() {
    this.drawn.clear();
    this.grounds = "";
    this.layers.ground.replaceChildren();
    this.layers.edging.replaceChildren();
    this.layers.pieces.replaceChildren();
  }

  /** Returns a shape under a number of its own: the same for all that look alike. */
  intern(shape) {
    const text = JSON.stringify(shape);
    if (!this.interned.has(text)) this.interned.set(text, { shape, id: this.interned.size, look: JSON.stringify(shape.map(style)) });
    return this.interned.get(text);
  }

  /**
   * Draws the picture of the state; `before` is the one that was drawn, `way` the cells over which the last move went.
   * @param {any} before
   * @param {{shapes?: any[], way?: number[], still?: boolean}} options
   */
  draw(before, { shapes = this.state.shapes, way = [], still = false } = {}) {
    const { picture } = this.state;
    this.shapes = shapes;
    const [left, top, right, bottom] = picture.bounds; // large cells get no fat lines
    this.fat = clamp(Math.max(right - left, bottom - top) / (14 * SIDE), 0.2, 1);
    if (picture.sketches) {
      this.drawPieces(picture.sketches, shapes, [], still || !before);
    } else {
      this.drawGround(picture.ground, shapes);
      this.drawCells(picture, still ? null : before);
      this.drawZones(picture);
      this.drawStrokes(picture);
      this.drawPieces(picture.pieces, shapes, way, still || !before);
      this.drawLabels();
    }
    this.drawTicks(picture);
    this.drawHand();
    this.drawRegions();
  }

  /** Draws the owners of regions, if that is switched on, and the selected region. */
  drawRegions() {
    const held = this.state.holders ? this.state.regions.held : [];
    this.layers.regions.replaceChildren(
      ...held.map((region) => cover(region, region.color, "held")), ...(this.state.selectedRegion ? [cover(this.state.selectedRegion, "#fff", "asked")] : []));
  }

  /** Draws what the board lies on, again only if it is another one. */
  drawGround(ground, shapes) {
    const wanted = JSON.stringify(ground.map(([number, ...place]) => [shapes[number].id, place]));
    if (wanted === this.grounds) return;
    this.grounds = wanted;
    for (const [level, layer] of [this.layers.ground, this.layers.edging].entries()) {
      layer.replaceChildren(...ground.filter((each) => each[3] === level).map(([number, x, y]) => drawSketch(shapes[number].shape, x, y)));
    }
  }

  drawCells(picture, before) {
    const large = this.state.cells.areMany;
    const groups = new Map(); // on a large board those of a block, so that what is out of sight costs nothing
    picture.fills.forEach((fill, cell) => {
      if (fill === EMPTY) return;
      const [x, y] = this.state.cells.center(cell);
      const group = large ? `${fill}:${block(x)}:${block(y)}` : fill;
      if (!groups.has(group)) groups.set(group, { fill, paths: [] });
      groups.get(group).paths.push(this.state.cells.path(cell));
    });
    const [flat, rims, raised] = [[], [], []];
    for (const { fill, paths } of [...groups.values()].sort((a, b) => a.fill - b.fill)) {
      const [look, d] = [picture.palette[fill], paths.join("")];
      (look[RIM] ? raised : flat).push(make("path", { fill: look[1], d, ...(look[EDGE] ? { stroke: look[EDGE] } : {}) }));
      if (look[RIM]) rims.push(make("path", { fill: look[RIM], stroke: "none", d, transform: `translate(${unturned(this.state.turn, [0, RISE * this.fat]).join(" ")})` }));
    }
    this.layers.cells.setAttribute("stroke-width", String(13 * this.fat));
    this.layers.cells.replaceChildren(...flat, ...rims, ...raised);
    this.layers.links.replaceChildren(...picture.links.map((link) => make("path", {
      d: link.d, fill: "none", stroke: link.color, "stroke-width": link.width, "stroke-linecap": "round" })));
    this.layers.old.replaceChildren();
    if (!before?.fills) return;
    const changed = new Map();
    before.fills.forEach((fill, cell) => {
      if (fill === picture.fills[cell] || fill === EMPTY) return;
      const color = before.palette[fill][1];
      if (!changed.has(color)) changed.set(color, []);
      changed.get(color).push(cell);
    });
    for (const [color, cells] of changed) {
      make("path", { class: "old", fill: color, d: cells.map((cell) => this.state.cells.path(cell)).join("") }, this.layers.old);
    }
  }

  drawZones(picture) {
    this.layers.zones.replaceChildren(...picture.zones.map((zone, place) => {
      const group = make("g", { "clip-path": `url(#zone-${place})`, fill: "none", "stroke-linejoin": "round" });
      make("path", { d: zone.d, "clip-rule": "evenodd" }, make("clipPath", { id: `zone-${place}` }, group));
      make("path", { d: zone.d, stroke: zone.casing, "stroke-opacity": 0.5, "stroke-width": 69 * this.fat }, group);
      make("path", { d: zone.d, stroke: zone.color, "stroke-width": 59 * this.fat, "stroke-dasharray": zone.dash.map((each) => each * this.fat).join(" ") || "none" }, group);
      if (zone.faint) make("path", { d: zone.d, stroke: zone.casing, "stroke-opacity": 0.5, "stroke-width": 10 * this.fat }, group);
      return group;
    }));
  }

  drawStrokes(picture) {
    for (const below of [true, false]) {
      const layer = below ? this.layers.below : this.layers.strokes;
      layer.replaceChildren(...picture.strokes.filter((stroke) => stroke.below === below).flatMap((stroke) => {
        const points = stroke.cells.map((cell) => this.state.cells.center(cell));
        if (points.length === 1) {
          const [cx, cy] = points[0];
          if (below && this.state.cells.radii[stroke.cells[0]]) { // around what stands there
            return [make("circle", { cx, cy, r: 0.86 * this.state.cells.radii[stroke.cells[0]], fill: "none", stroke: stroke.color, "stroke-width": 14 * this.fat })];
          }
          return [make("circle", { cx, cy, r: 23 * this.fat, fill: stroke.color, stroke: stroke.casing, "stroke-width": 8 * this.fat })];
        }
        if (stroke.arrow) return [[stroke.casing, 20], [stroke.color, 0]].map(([color, around]) => arrow(points, { color, around }));
        const line = { d: `M${points.map((point) => point.join(" ")).join("L")}`, fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" };
        return [make("path", { ...line, stroke: stroke.casing, "stroke-width": 54 * this.fat }),
          make("path", { ...line, stroke: stroke.color, "stroke-width": 34 * this.fat })];
      }));
    }
  }

  drawLabels() {
    const { picture, cells, names, numbers, moveNumbers, pieces, signs } = this.state;
    if (!picture?.fills) return;
    const texts = new Map(picture.labels);
    const room = new Map(); // by fill: labels on cells of one color are equally large
    for (const cell of texts.keys()) room.set(picture.fills[cell], Math.min(cells.radii[cell] || 80, room.get(picture.fills[cell]) ?? Infinity));
    if (signs && cells.size <= SIGNS) {
      picture.fills.forEach((fill, cell) => {
        if (fill !== EMPTY && !texts.has(cell)) texts.set(cell, picture.signs[cell] ?? picture.palette[fill][2]);
      });
    }
    if (numbers) for (const [cell, text] of moveNumbers) if (pieces.has(cell)) texts.set(cell, text);
    const named = names && cells.names.length; // the name stands below the text
    this.layers.labels.replaceChildren(...(names ? cells.names.map(([cell, text]) => {
      const radius = cells.radii[cell] || 80;
      const size = Math.min(0.46 * radius, 50, (1.8 * radius) / Math.max(text.length, 1));
      return this.label(cell, text, size, 0.82 * radius, pieces.has(cell) ? "name number" : "name"); // upon a piece with a rim around it
    }) : []), ...[...texts].map(([cell, text], place) => {
      const radius = (place < picture.labels.length && room.get(picture.fills[cell])) || cells.radii[cell] || 80;
      const size = (named ? 0.8 : 1) * (text.length < 2 ? Math.min(124, 2.43 * radius) : Math.min(100, (0.95 * radius) / Math.hypot(0.3 * text.length, 0.36)));
      return this.label(cell, text, size, 0.355 * size - (named ? 0.2 * radius : 0), pieces.has(cell) ? "number" : "");
    }));
  }

  /** A text on a cell, in the color that can be read there. */
  label(cell, content, size, below, name) {
    const { cells, picture: { fills, palette }, turn } = this.state;
    const look = { class: name, "font-size": size.toFixed(0), fill: palette[fills[cell]]?.[3] ?? "currentColor" };
    return text(turn, content, cells.center(cell), below, look);
  }

  drawTicks(picture) {
    const [left, top, right, bottom] = picture.bounds;
    const height = 0.026 * Math.max(right - left, bottom - top, FEWEST * SIDE);
    const tick = (x, y, content, outward) => { // outward: on which side of the board it stands
      const [side] = turned(this.state.turn, outward);
      const anchor = side < 0 ? "end" : side > 0 ? "start" : "middle";
      return text(this.state.turn, content, [x, y], 0.36 * height, { class: "tick", "font-size": height.toFixed(0), "text-anchor": anchor });
    };
    const sparse = (list) => list.filter((_, place) => place % Math.ceil(list.length / 30) === 0);
    this.layers.ticks.replaceChildren(
      ...sparse(picture.rows).map(([y, content]) => tick(left - 0.5 * height, y, content, [-1, 0])),
      ...sparse(picture.columns).map(([x, content]) => tick(x, bottom + 0.94 * height, content, [0, 1])));
  }

  /** Draws pieces, or sketches level by level; what stays is left alone, what is new appears. */
  drawPieces(pieces, shapes, way, still) {
    const large = this.state.cells.areMany;
    const wanted = new Map();
    const [from, to] = [way[0], way[way.length - 1]];
    const target = way.length && this.state.cells.size ? this.state.cells.center(to) : null;
    const crowds = new Map();
    for (const [number, x, y, level] of pieces) {
      const found = shapes[number];
      if (large && !(target?.[0] === x && target?.[1] === y)) {
        const crowd = `${found.look}:${level}:${block(x)}:${block(y)}`;
        if (!crowds.has(crowd)) crowds.set(crowd, { level, members: [] });
        crowds.get(crowd).members.push([found, x, y]);
      } else {
        wanted.set(`${found.id}:${x}:${y}:${level}`, { found, x, y, level });
      }
    }
    for (const [key, crowd] of crowds) wanted.set(`${key}:${crowd.members.map(([{ id }, x, y]) => [id, x, y])}`, crowd);
    for (const [key, element] of this.drawn) {
      if (!wanted.has(key)) { element.remove(); this.drawn.delete(key); }
    }
    for (const [key, { found, x, y, level, members }] of wanted) {
      if (this.drawn.has(key)) continue;
      const group = members ? this.drawCrowd(members) : drawSketch(found.shape, x, y);
      if (!members && this.state.cells.size) group.setAttribute("transform", `translate(${x} ${y}) ${upright(this.state.turn)}`); // tiles lie as the board does
      this.level(level).append(group);
      this.drawn.set(key, group);
      if (still || members || !allowsMotion()) continue;
      const inner = group.firstChild;
      if (way.length > 1 && target && target[0] === x && target[1] === y) {
        const start = this.state.cells.center(from);
        const [right, down] = turned(this.state.turn, [start[0] - x, start[1] - y]);
        inner.animate([{ transform: `translate(${right}px, ${down}px)` }, { transform: "none" }],
          { duration: 260, easing: "ease-in-out" });
      } else {
        inner.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 200 });
      }
    }
  }

  /** Draws the pieces in hand, such as a tile to be placed, if the page has a place for them. */
  drawHand() {
    const place = at("hand");
    const { picture, input, sent } = this.state;
    if (!place || !picture || sent) return; // what was sent stays as it was turned
    const { hand } = picture;
    place.classList.toggle("empty", !hand); // it keeps its room
    place.disabled = !hand || !input.canTurn();
    if (!hand) return;
    place.hidden = false;
    const [left, top, right, bottom] = hand.bounds;
    const [wide, high] = turned(this.state.turn, [right - left + 16, bottom - top + 16]).map(Math.abs);
    const pieces = input.handPieces();
    const [sketches, shapes] = pieces ? [pieces, this.state.shapes] : [hand.sketches, this.shapes];
    const [x, y] = turned(this.state.turn, pieces ? pieces[0].slice(1, 3) : [(left + right) / 2, (top + bottom) / 2]);
    const svg = make("svg", { viewBox: `${x - wide / 2} ${y - high / 2} ${wide} ${high}`, "aria-hidden": "true" });
    const whole = make("g", { transform: String(this.state.turn) }, svg);
    for (const [number, across, down] of [...sketches].sort((a, b) => a[3] - b[3])) whole.append(drawSketch(shapes[number].shape, across, down));
    place.replaceChildren(svg);
    place.classList.add("seen"); // there is room for it from now on, so that nothing jumps
  }

  /** Draws many alike of a block of a large board as one: fewer elements, and none of them moves. */
  drawCrowd(members) {
    const group = make("g", { "stroke-linecap": "round", "stroke-linejoin": "round" });
    members[0][0].shape.forEach((each, place) => {
      const paths = members.map(([{ shape }, x, y]) => shifted(shape[place].d, x, y));
      make("path", { d: paths.join(""), ...style(flat(each)) }, group);
    });
    return group;
  }

  level(level) {
    for (let have = this.layers.pieces.childElementCount; have <= level; have++) make("g", {}, this.layers.pieces);
    return this.layers.pieces.children[level];
  }
}

/** A text at a point that stays upright on a turned board, its foot some units below the point. */
function text(turn, content, [x, y], below, look) {
  const made = make("text", { x, y: Math.round(y + below), transform: upright(turn, x, y), ...look });
  made.textContent = content;
  return made;
}

/** Draws what a region covers, in a color. */
function cover(region, color, name) {
  const group = make("g", { class: name, color });
  for (const { shape, x, y } of region.cover) {
    for (const { d, fill, width } of shape) {
      const look = fill ? { fill: "currentColor" } : { fill: "none", stroke: "currentColor", "stroke-width": width };
      make("path", { d, transform: `translate(${x} ${y})`, ...look }, group);
    }
  }
  return group;
}

/** Returns a shape drawn at a place. */
export function drawSketch(shape, x, y) {
  const group = make("g", { transform: `translate(${x} ${y})`, "stroke-linecap": "round", "stroke-linejoin": "round" });
  const inner = make("g", {}, group);
  for (const each of shape) make("path", { d: each.d, ...style(each) }, inner);
  return group;
}

function style({ fill = "none", fade, line, width, blunt, opacity = 1 }) {
  return {
    fill: fade ? `url(#${gradient(fill, fade)})` : fill,
    ...(line ? { stroke: line, "stroke-width": width } : {}),
    ...(blunt ? { "stroke-linecap": "butt" } : {}),
    ...(opacity < 1 ? { [fill === "none" ? "stroke-opacity" : "fill-opacity"]: opacity } : {}),
  };
}

/** Returns a shape without light: on many together it would fall on the first ones alone. */
function flat(shape) {
  if (!shape.fade) return shape;
  const [one, other] = [shape.fill, shape.fade].map((color) => [1, 3, 5].map((place) => parseInt(color.slice(place, place + 2), 16)));
  const fill = `rgb(${one.map((part, place) => Math.round((part + other[place]) / 2)).join(" ")})`;
  return { ...shape, fill, fade: undefined };
}

/** Returns the id of a gradient from one color to another, which all pictures of a page share. */
function gradient(fill, fade) {
  const id = `fade-${fill.slice(1)}-${fade.slice(1)}`;
  if (!document.getElementById(id)) {
    const shared = document.getElementById("gradients") ?? make("svg", { id: "gradients", width: 0, height: 0, "aria-hidden": "true" });
    shared.style.position = "absolute";
    document.body.append(shared);
    const element = make("radialGradient", { id, cx: 0.36, cy: 0.3, r: 0.8 }, shared);
    make("stop", { "stop-color": fill }, element);
    make("stop", { offset: 1, "stop-color": fade }, element);
  }
  return id;
}

function block(x) { return Math.floor(x / (BLOCK * SIDE)); }

/** A path of lines and curves, elsewhere. */
function shifted(path, x, y) { return path.replace(/(-?\d+) (-?\d+)/g, (_, a, b) => `${Number(a) + x} ${Number(b) + y}`); }

function allowsMotion() { return !matchMedia("(prefers-reduced-motion: reduce)").matches; }

// Arrows along cells.

/**
 * A line with a head that ends short of what stands on the last cell.
 * @param {number[][]} points
 * @param {{color: string, width?: number, around?: number, opacity?: number, clear?: boolean}} look `around` makes all of it wider, for a casing;
 *   `clear`: it begins beside what stands on the first cell
 */
export function arrow(points, { color, width = 20, around = 0, opacity = 1, clear = false }) {
  const [[px, py], [qx, qy]] = points.slice(-2);
  const length = Math.hypot(qx - px, qy - py) || 1;
  const [dx, dy] = [(qx - px) / length, (qy - py) / length];
  const [short, head] = [Math.min(0.4 * SIDE, 0.42 * length), Math.min(0.3 * SIDE, 0.42 * length)];
  const [tx, ty] = [qx - short * dx, qy - short * dy];
  const [nx, ny] = [tx - head * dx, ty - head * dy];
  const half = Math.max(0.19 * SIDE, 0.9 * width);
  const [wx, wy] = [-half * dy, half * dx];
  const shaft = [...points.slice(0, -1), [nx, ny]];
  if (clear) shaft[0] = beside(shaft[0], shaft[1]);
  const group = make("g", { opacity });
  make("path", { d: `M${shaft.map((point) => point.join(" ")).join("L")}`, fill: "none", stroke: color, "stroke-width": width + around, "stroke-linecap": "round", "stroke-linejoin": "round" }, group);
  make("path", { d: `M${tx} ${ty}L${nx + wx} ${ny + wy}L${nx - wx} ${ny - wy}Z`, fill: color, stroke: color, "stroke-width": around, "stroke-linejoin": "round" }, group);
  return group;
}

/**
 * A point on the way to another one, beside what stands on the first.
 * @param {number[]} from
 * @param {number[]} to
 */
function beside([x, y], [toX, toY]) {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const share = Math.min(0.36 * SIDE, 0.4 * length) / length;
  return [x + share * (toX - x), y + share * (toY - y)];
}
