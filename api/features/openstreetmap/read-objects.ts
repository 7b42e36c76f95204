import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { type OSMOptions, OSMTransform } from 'osm-pbf-parser-node';
import type { Place } from '#shared/place.ts';
import { type Bounds, middleOf, type Outline } from './outline.ts';

export type Tags = Readonly<Record<string, string>>;
type Kind = 'node' | 'way' | 'relation';

/** As osm-pbf-parser-node reads them. */
interface OsmNode {
  type: 'node';
  id: number;
  lat: number;
  lon: number;
  tags?: Tags;
}
interface OsmWay {
  type: 'way';
  id: number;
  refs: number[];
  tags?: Tags;
}
interface OsmRelation {
  type: 'relation';
  id: number;
  members: { type: Kind; ref: number; role: string }[];
  tags?: Tags;
}
type OsmObject = OsmNode | OsmWay | OsmRelation;

/** An object of the map that was wanted, and where it is. */
export interface Found<T> {
  /** Such as `way/123`. */
  id: string;
  wanted: T;
  middle: Place;
  bounds: Bounds;
}

/** Ways and relations that are held in memory at once; the file is read again for the next ones. */
const AREAS_AT_ONCE = 30_000;
/** Of an outline: enough to say where it is. */
const POINTS_EACH = 32;
/** Of a relation. */
const WAYS_EACH = 8;

/** Reads a file of the Protocolbuffer format block by block. */
async function* blocks(
  file: string,
  withTags: OSMOptions['withTags'],
): AsyncGenerator<OsmObject[]> {
  const reader = new OSMTransform({ withTags }, { readableHighWaterMark: 1 });
  // An error of the file ends the reader, which tells it.
  pipeline(createReadStream(file), reader, () => {});
  for await (const block of reader) yield block as OsmObject[];
}

/** Up to `count` of the values, evenly spread; with the first and the last. */
function spread<V>(values: readonly V[], count: number): V[] {
  if (values.length <= count) return [...values];
  return Array.from(
    { length: count },
    (_, at) => values[Math.round((at * (values.length - 1)) / (count - 1))] as V,
  );
}

/** The positions of some nodes: 24 bytes each. */
class Positions {
  readonly #ids: Float64Array;
  readonly #degrees: Float64Array;

  constructor(ids: Iterable<number>) {
    const sorted = Float64Array.from(ids).toSorted();
    this.#ids = sorted.filter((id, at) => at === 0 || id !== sorted[at - 1]);
    this.#degrees = new Float64Array(this.#ids.length * 2).fill(Number.NaN);
  }

  #find(id: number): number {
    const ids = this.#ids;
    let [low, high] = [0, ids.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = ids[middle] as number;
      if (at === id) return middle;
      if (at < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  set({ id, lat, lon }: OsmNode): void {
    const at = this.#find(id);
    if (at < 0) return;
    this.#degrees[2 * at] = lat;
    this.#degrees[2 * at + 1] = lon;
  }

  /** @returns null for a node outside the extract */
  get(id: number): Place | null {
    const at = this.#find(id);
    return placeOfDegrees(this.#degrees[2 * at], this.#degrees[2 * at + 1]);
  }
}

/** @returns null for what isn't on earth, and for an unknown one (NaN) */
const placeOfDegrees = (latitude = Number.NaN, longitude = Number.NaN): Place | null =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;

interface Area<T> {
  id: string;
  wanted: T;
  /** Nodes of its outline. */
  refs: number[];
  outline: Outline;
}

/**
 * Yields the wanted objects of an extract: ways and relations first, then nodes; each with its place. The file is read three times for each
 * `AREAS_AT_ONCE` of them, so that memory is bounded whatever its size.
 * @param keys of the tags that `want` reads
 * @param want returns null for what isn't wanted
 * @throws Error if the file isn't an extract
 */
export async function* readObjects<T>(
  file: string,
  keys: readonly string[],
  want: (tags: Tags, kind: Kind) => T | null,
): AsyncGenerator<Found<T>> {
  const wantedOf = (object: OsmObject): T | null =>
    object.tags ? want(object.tags, object.type) : null;
  for (let from = 0, isLast = false; !isLast; from += AREAS_AT_ONCE) {
    const areas = await readAreas(file, keys, wantedOf, from);
    isLast = areas.length < AREAS_AT_ONCE;
    if (areas.length === 0) break;
    const positions = new Positions(refsOf(areas));
    for await (const block of blocks(file, { node: false, way: false, relation: false }))
      for (const object of block) if (object.type === 'node') positions.set(object);
    for (const { id, wanted, refs, outline } of areas) {
      const points = refs.flatMap((ref) => positions.get(ref) ?? []);
      const found = middleOf(points, outline);
      if (found) yield { id, wanted, ...found };
    }
  }
  for await (const block of blocks(file, { node: [...keys], way: false, relation: false }))
    for (const object of block) {
      if (object.type !== 'node') continue;
      const wanted = wantedOf(object);
      const middle = placeOfDegrees(object.lat, object.lon);
      if (wanted === null || !middle) continue;
      const { latitude, longitude } = middle;
      const bounds = { south: latitude, north: latitude, west: longitude, east: longitude };
      yield { id: `node/${object.id}`, wanted, middle, bounds };
    }
}

function* refsOf(areas: readonly Area<unknown>[]): Generator<number> {
  for (const { refs } of areas) yield* refs;
}

/** Returns the wanted relations, then ways, from the number `from` on: `AREAS_AT_ONCE` at most. */
async function readAreas<T>(
  file: string,
  keys: readonly string[],
  wantedOf: (object: OsmObject) => T | null,
  from: number,
): Promise<Area<T>[]> {
  const areas: Area<T>[] = [];
  /** By way: the relations whose outline it is part of. */
  const parts = new Map<number, Area<T>[]>();
  let number = 0;
  const isIn = () => number++ >= from && areas.length < AREAS_AT_ONCE;

  for await (const block of blocks(file, { node: false, way: false, relation: [...keys] }))
    for (const object of block) {
      if (object.type !== 'relation') continue;
      const wanted = wantedOf(object);
      if (wanted === null || !isIn()) continue;
      const area: Area<T> = { id: `relation/${object.id}`, wanted, refs: [], outline: 'parts' };
      areas.push(area);
      const outer = object.members.filter(({ type, role }) => type === 'way' && role !== 'inner');
      for (const { ref } of spread(outer, WAYS_EACH))
        parts.set(ref, [...(parts.get(ref) ?? []), area]);
    }

  for await (const block of blocks(file, { node: false, way: [...keys], relation: false }))
    for (const object of block) {
      if (object.type !== 'way') continue;
      for (const area of parts.get(object.id) ?? [])
        area.refs.push(...spread(object.refs, POINTS_EACH / WAYS_EACH));
      const wanted = wantedOf(object);
      if (wanted === null || !isIn()) continue;
      const { id, refs } = object;
      const outline = refs.length > 3 && refs[0] === refs.at(-1) ? 'closed' : 'line';
      areas.push({ id: `way/${id}`, wanted, refs: spread(refs, POINTS_EACH), outline });
    }
  return areas;
}
