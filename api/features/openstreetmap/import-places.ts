import { createHash } from 'node:crypto';
import type { AnyBulkWriteOperation, Collection, Db } from 'mongodb';
import type { AmenityKind } from '#shared/amenities/contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import {
  IMPORTED_ID,
  isSimilarPlace,
  LOCATION_NAME_MAX,
  SAME_PLACE_METERS,
} from '#shared/locations/rules.ts';
import { cutText } from '#shared/normalization/cut-text.ts';
import { searchWords } from '#shared/normalization/search-text.ts';
import { METERS_PER_DEGREE, metersBetween, type Place } from '#shared/place.ts';
import { wordsOf } from '../../platform/admin/search.ts';
import { amenities, type AmenityRow } from '../amenities/collections.ts';
import { readableHours } from '../amenities/opening-hours.ts';
import { type Gazetteer, gazetteer } from '../geocoder/gazetteer.ts';
import { type Imported, locations, type LocationRow } from '../locations/collections.ts';
import { mergePlaces } from '../locations/merge.ts';
import { leaveLocation } from '../locations/remove-location.ts';
import { newPlace, placeOf, pointOf } from '../locations/store.ts';
import type { Bounds } from './outline.ts';
import { type Found, readObjects } from './read-objects.ts';
import { amenityOfTags, isUnnamed, placeOfTags, TAG_KEYS, type TaggedPlace } from './tags.ts';

/** In degrees: about 55 m from south to north. */
const CELL = 0.0005;
/** Of a place that is looked at: about 4 km. A larger one has its own tags, or none. */
const CELLS_EACH_WAY = 80;

const row = (latitude: number): number => Math.floor((latitude + 90) / CELL);
const column = (longitude: number): number => Math.floor((longitude + 180) / CELL);
const COLUMNS = Math.ceil(360 / CELL);

/** Where something is, to about 55 m, in 40 bytes per cell. */
class CoarseCells {
  readonly #cells = new Set<number>();

  add({ latitude, longitude }: Place): void {
    this.#cells.add(row(latitude) * COLUMNS + column(longitude));
  }

  /** Whether something is within some bounds, or in a cell beside them. */
  hasWithin({ south, north, west, east }: Bounds): boolean {
    const [first, last] = [row(south) - 1, row(north) + 1];
    const [left, right] = [column(west) - 1, column(east) + 1];
    if (last - first > CELLS_EACH_WAY || right - left > 2 * CELLS_EACH_WAY) return false;
    for (let y = first; y <= last; y += 1)
      for (let x = left; x <= right; x += 1) if (this.#cells.has(y * COLUMNS + x)) return true;
    return false;
  }
}

/** Rows that are written at once. */
const BATCH = 500;
/** An extract of another region, or half a file, would remove more than this share of a region. */
const REMOVED_SHARE_MAX = 0.5;
/** A region so small may change as a whole. */
const SMALL_REGION = 20;

export interface ImportOptions {
  file: string;
  /** The name under which later imports of the same region find what is gone. */
  region: string;
  /** Whether more than half of a region may be removed. */
  allowRemovals?: boolean;
  progress?: (text: string) => void;
}

export interface ImportReport {
  places: number;
  amenities: number;
  /** Rows that were new or different. */
  written: number;
  /** Imported places that members had added before, and that lead there now. */
  duplicates: number;
  removed: number;
}

/**
 * Reads places to walk and what helps on a walk from an OpenStreetMap extract. A repeated import of a region changes what changed
 * and removes what is gone, but nothing that members wrote: tips, visits, photos and corrections stay, and with them their place. Decision 170.
 * @throws Error if the file can't be read, or would remove most of the region
 */
export async function importPlaces(db: Db, options: ImportOptions): Promise<ImportReport> {
  const { file, region, progress = () => {} } = options;
  const from = { region, run: new Date().toISOString() };
  const nearby: Partial<Record<AmenityKind, CoarseCells>> = {
    water: new CoarseCells(),
    toilets: new CoarseCells(),
    parking: new CoarseCells(),
  };

  const amenityWriter = createWriter(amenities(db), (row: AmenityRow) => ({
    replaceOne: replaced(row),
  }));
  for await (const found of readObjects(file, TAG_KEYS, amenityOfTags)) {
    nearby[found.wanted.kind]?.add(found.middle);
    await amenityWriter.add(amenityRow(found, from));
    if (amenityWriter.count % 10_000 === 0) progress(`${amenityWriter.count} amenities`);
  }
  await amenityWriter.end();

  const seen = createSeen();
  const towns = await gazetteer();
  const box: Bounds = { south: 90, north: -90, west: 180, east: -180 };
  const placeWriter = createWriter(locations(db), (row: PlaceRow) => ({ updateOne: merged(row) }));
  for await (const found of readObjects(file, TAG_KEYS, placeOfTags)) {
    if (isAlley(found) || seen.has(found)) continue;
    widen(box, found.middle);
    const { bounds, wanted } = found;
    const facts: TaggedPlace = {
      ...wanted,
      name: nameOf(found, towns),
      water_available: wanted.water_available || nearby.water?.hasWithin(bounds) === true,
      restrooms_available: wanted.restrooms_available || nearby.toilets?.hasWithin(bounds) === true,
      parking_available: wanted.parking_available || nearby.parking?.hasWithin(bounds) === true,
    };
    await placeWriter.add(placeRow({ ...found, wanted: facts }, from));
    if (placeWriter.count % 10_000 === 0) progress(`${placeWriter.count} places`);
  }
  await placeWriter.end();

  const duplicates = await joinDuplicates(db, box);
  const removed = await removeGone(db, from, options.allowRemovals === true);
  return {
    places: placeWriter.count,
    amenities: amenityWriter.count,
    written: amenityWriter.written + placeWriter.written,
    duplicates,
    removed,
  };
}

/** Names a place that has no name of its own by its street, else by its town: “Dog park in Springfield”. */
function nameOf({ wanted, middle }: Found<TaggedPlace>, towns: Gazetteer): string {
  const { name, address } = wanted;
  if (!isUnnamed(wanted)) return name;
  const [street] = address.split(', ');
  if (street) return cutText(`${name}, ${street}`, LOCATION_NAME_MAX).trim();
  const town = towns.nearest(middle);
  return town ? cutText(`${name} in ${town.name}`, LOCATION_NAME_MAX).trim() : name;
}

type Origin = Pick<Imported, 'region' | 'run'>;

/** `way/123` as an id that fits into an address. */
const rowId = (id: string): string =>
  `${IMPORTED_ID}${id.charAt(0)}${id.slice(id.indexOf('/') + 1)}`;

const importedOf = (id: string, facts: object, from: Origin): Imported => ({
  id,
  ...from,
  hash: createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 22),
});

function amenityRow(
  { id, wanted, middle }: Found<NonNullable<ReturnType<typeof amenityOfTags>>>,
  from: Origin,
): AmenityRow {
  const facts = {
    ...wanted,
    opening_hours: readableHours(wanted.opening_hours),
    point: pointOf(middle),
  };
  return { _id: rowId(id), ...facts, imported: importedOf(id, facts, from) };
}

type PlaceRow = Pick<LocationRow, '_id'> & { imported: NonNullable<LocationRow['imported']> };

function placeRow({ id, wanted, middle }: Found<TaggedPlace>, from: Origin): PlaceRow {
  const facts = {
    ...wanted,
    description: '',
    opening_hours: readableHours(wanted.opening_hours),
    point: pointOf(middle),
    words: wordsOf(wanted.name, wanted.address),
  };
  return { _id: rowId(id), imported: { ...importedOf(id, facts, from), facts } };
}

const replaced = (row: AmenityRow) => ({
  filter: { _id: row._id },
  replacement: row,
  upsert: true,
});

/** Writes the facts of a place, except those that a member corrected, in one atomic step. */
function merged({ _id, imported }: PlaceRow) {
  const now = new Date();
  // Names may begin with a dollar sign.
  const unless = (path: string, value: unknown) => ({ $ifNull: [path, { $literal: value }] });
  const shown = Object.entries(imported.facts).map(([fact, value]) => [
    fact,
    unless(`$correction.facts.${fact}`, value),
  ]);
  const kept = Object.entries({ creator_user_id: null, is_public: true, ...newPlace(now) }).map(
    ([field, value]) => [field, unless(`$${field}`, value)],
  );
  return {
    filter: { _id },
    update: [
      {
        $set: {
          ...Object.fromEntries(shown),
          ...Object.fromEntries(kept),
          imported: { $literal: imported },
          updated_at: now,
        },
      },
    ],
    upsert: true,
  };
}

/** Writes rows in batches: those that changed; of the others, only that they were seen. One batch is written while the next one is read. */
function createWriter<
  Row extends { _id: string; imported?: Imported },
  New extends { _id: string; imported: Imported },
>(rows: Collection<Row>, operationOf: (row: New) => AnyBulkWriteOperation<Row>) {
  let batch: New[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  const writer = {
    count: 0,
    written: 0,
    async add(row: New): Promise<void> {
      writer.count += 1;
      batch.push(row);
      if (batch.length >= BATCH) await flush();
    },
    async end(): Promise<void> {
      await flush();
      await writing;
    },
  };

  async function flush(): Promise<void> {
    const ready = batch;
    batch = [];
    await writing;
    writing = write(ready);
    // A failure is thrown by whoever waits for it.
    writing.catch(() => {});
  }

  async function write(ready: New[]): Promise<void> {
    if (ready.length === 0) return;
    const ids = ready.map(({ _id }) => _id);
    const known = new Map<string, string | undefined>();
    const before = rows.find({ _id: { $in: ids } } as object, {
      projection: { 'imported.hash': 1 },
    });
    for await (const row of before) known.set(row._id, row.imported?.hash);
    const changed = ready.filter(({ _id, imported }) => known.get(_id) !== imported.hash);
    const { region, run } = (ready[0] as New).imported;
    await rows.updateMany(
      { _id: { $in: ids } } as object,
      {
        $set: { 'imported.region': region, 'imported.run': run },
      } as object,
    );
    writer.written += changed.length;
    if (changed.length > 0) await rows.bulkWrite(changed.map(operationOf), { ordered: false });
  }

  return writer;
}

function widen(box: Bounds, { latitude, longitude }: Place): void {
  box.south = Math.min(box.south, latitude);
  box.north = Math.max(box.north, latitude);
  box.west = Math.min(box.west, longitude);
  box.east = Math.max(box.east, longitude);
}

/** A shorter path with a name is an alley between houses. */
const TRAIL_MIN_METERS = 200;

function isAlley({ id, wanted, bounds }: Found<TaggedPlace>): boolean {
  const corner = { latitude: bounds.south, longitude: bounds.west };
  const opposite = { latitude: bounds.north, longitude: bounds.east };
  const isPath = wanted.location_type === 'trail' && id.startsWith('way/');
  return isPath && metersBetween(corner, opposite) < TRAIL_MIN_METERS;
}

/** In degrees: two places of a name in neighboring cells are one. A trail is drawn in many parts. */
const SAME_CELL = { trail: 0.03, other: 0.005 };

/** Remembers places by name, type and cell, so that each part of a trail, or a node within an area, isn't a place of its own. */
function createSeen() {
  const known = new Set<string>();
  return {
    has({ wanted: { name, location_type }, middle }: Found<TaggedPlace>): boolean {
      const size = location_type === 'trail' ? SAME_CELL.trail : SAME_CELL.other;
      const [y, x] = [Math.floor(middle.latitude / size), Math.floor(middle.longitude / size)];
      const words = searchWords(name).join(' ');
      const key = (dy: number, dx: number) => `${location_type} ${y + dy} ${x + dx} ${words}`;
      for (const dy of [-1, 0, 1])
        for (const dx of [-1, 0, 1]) if (known.has(key(dy, dx))) return true;
      known.add(key(0, 0));
      return false;
    },
  };
}

/** Imported places near a member's one that may be it. */
const LOOKED_AT = 100;

/** Returns false if members removed, merged or changed the place meanwhile: the next import looks at it again. */
const unlessBusy = (step: Promise<boolean>): Promise<boolean> =>
  step.catch((error: unknown) => {
    if (error instanceof HttpError) return false;
    throw error;
  });

/** Lets imported places lead to those that members added before. @returns how many */
async function joinDuplicates(db: Db, box: Bounds): Promise<number> {
  let count = 0;
  const margin = SAME_PLACE_METERS / METERS_PER_DEGREE;
  const own = locations(db).find({
    imported: { $exists: false },
    is_public: true,
    is_active: true,
    merged_into: null,
    'point.coordinates.1': { $gte: box.south - margin, $lte: box.north + margin },
  });
  for await (const row of own) {
    const place = { name: row.name, ...placeOf(row) };
    const near = await locations(db)
      .find({
        imported: { $exists: true },
        is_active: true,
        point: { $nearSphere: { $geometry: row.point, $maxDistance: SAME_PLACE_METERS } },
      })
      .limit(LOOKED_AT)
      .toArray();
    for (const other of near) {
      if (other.location_type !== row.location_type) continue;
      if (!isSimilarPlace({ name: other.name, ...placeOf(other) }, place)) continue;
      if (await unlessBusy(mergePlaces(db, other._id, row._id).then(() => true))) count += 1;
    }
  }
  return count;
}

/**
 * Removes what an import of a region didn't see anymore. A place that members use stays.
 * @throws Error if that is most of the region
 */
async function removeGone(db: Db, { region, run }: Origin, isAllowed: boolean): Promise<number> {
  const gone = { 'imported.region': region, 'imported.run': { $lt: run } };
  for (const name of ['locations', 'amenities']) {
    const rows = db.collection(name);
    const [count, all] = await Promise.all([
      rows.countDocuments(gone),
      rows.countDocuments({ 'imported.region': region }),
    ]);
    if (!isAllowed && all > SMALL_REGION && count > all * REMOVED_SHARE_MAX)
      throw new Error(
        `${count} of ${all} ${name} of “${region}” are not in this file, so nothing was removed. If that is right, add --allow-removals.`,
      );
  }
  const { deletedCount } = await amenities(db).deleteMany(gone);
  let removed = deletedCount;
  for await (const row of locations(db).find(gone, { projection: { _id: 1 } }))
    if (await unlessBusy(leaveLocation(db, row))) removed += 1;
  return removed;
}
