import { ROOT, type ChangeOperation } from './change-operations.ts';

/** What is needed of Automerge's own object of a document. */
export interface PlacedDocument {
  /** Returns where an object is, without a path if it is not visible. @throws when there is no such object */
  objInfo(object: string): { type: string; path?: (string | number)[] };
}

/** Where an object is in its document. */
export interface ObjectPlace {
  /** 0 is the document itself. */
  depth: number;
  type: 'map' | 'list' | 'text';
  /** The first two steps to it; null where there are fewer, or where it is an element of a list. */
  path: readonly [field: string | null, key: string | null];
}

const NOWHERE = [null, null] as const;
const ROOT_PLACE: ObjectPlace = { depth: 0, type: 'map', path: NOWHERE };

/** Returns the first two steps to what an operation in an object changes. */
export const pathTo = (
  { depth, path: [field, entry] }: ObjectPlace,
  key: string | null,
): ObjectPlace['path'] => (depth === 0 ? [key, null] : depth === 1 ? [field, key] : [field, entry]);

/** Places of a document's objects that were looked up lately: an object never moves. */
export type FoundPlaces = Map<string, ObjectPlace>;
const FOUND_MAX = 16;
/** A device can use longer ones. */
const FOUND_KEY_MAX = 256;

/**
 * The places of the objects that changes touch. Looking at a change costs as much as the change is large, wherever in the document its
 * objects are; only for objects that are not visible, the whole history is read once.
 */
export class ObjectPlaces {
  readonly #core: PlacedDocument;
  readonly #history: () => Iterable<readonly ChangeOperation[]>;
  readonly #known = new Map<string, ObjectPlace>([[ROOT, ROOT_PLACE]]);
  readonly #found: FoundPlaces;
  #hasReadHistory = false;

  /**
   * @param core with the changes whose operations are looked at
   * @param history returns the operations of all changes, in their order
   * @param found what was found in the document before, and will be now
   */
  constructor(
    core: PlacedDocument,
    history: () => Iterable<readonly ChangeOperation[]>,
    found: FoundPlaces = new Map(),
  ) {
    this.#core = core;
    this.#history = history;
    this.#found = found;
  }

  /**
   * Notes the objects that a change makes.
   * @throws when one is in an object that does not exist
   */
  add(operations: readonly ChangeOperation[]): void {
    for (const { id, object, key, makes } of operations) {
      if (!makes) continue;
      const parent = this.of(object);
      this.#known.set(id, {
        depth: parent.depth + 1,
        type: makes,
        path: pathTo(parent, key),
      });
    }
  }

  /** @throws when there is no such object */
  of(object: string): ObjectPlace {
    const known = this.#known.get(object) ?? this.#visible(object);
    if (known) return known;
    this.#readHistory();
    const found = this.#known.get(object);
    if (!found) throw new Error('an operation in no object');
    return found;
  }

  #visible(object: string): ObjectPlace | null {
    const found = this.#found.get(object);
    if (found) return found;
    const { type, path } = this.#core.objInfo(object);
    if (!path) return null;
    const [field = null, key = null] = path.map((step) => (typeof step === 'string' ? step : null));
    const place = {
      depth: path.length,
      type: type as ObjectPlace['type'],
      path: [field, key],
    } as const;
    this.#known.set(object, place);
    if (Math.max(field?.length ?? 0, key?.length ?? 0) > FOUND_KEY_MAX) return place;
    if (this.#found.size >= FOUND_MAX) this.#found.clear();
    this.#found.set(object, place);
    return place;
  }

  /** An object that was deleted, or lost against another one in its place, has no path. It may become visible again. */
  #readHistory(): void {
    if (this.#hasReadHistory) return;
    this.#hasReadHistory = true;
    for (const operations of this.#history()) this.add(operations);
  }
}
