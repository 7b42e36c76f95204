import { ROOT, type ChangeOperation } from '#shared/sync/change-operations.ts';

/** What is needed of Automerge's own object of the document on this device. */
export interface PlacesHere {
  /** Returns where an object is, without a path if it is not visible. @throws when there is no such object */
  objInfo(object: string): { path?: (string | number)[] };
}

/**
 * How deep objects of a document are, before the changes that make them are applied. Changes may arrive before those that they depend on:
 * then, what is known of their objects is kept until the others arrive.
 */
export class ObjectDepths {
  /** By object, the one in which it is. */
  readonly #parents = new Map<string, string>();
  #hasReadHistory = false;
  /** Whether the parents of some objects have not arrived. */
  #isWaiting = false;

  /**
   * Looks at changes that are about to be applied.
   * @param here the document as it is here; null where it isn't
   * @param history returns the operations of all changes here, in their order
   * @param most how far it counts
   * @returns the greatest depth of the objects that they make, or make reachable; and the depth of each object that they touch
   */
  look(
    operations: readonly ChangeOperation[],
    here: PlacesHere | null,
    history: () => Iterable<readonly ChangeOperation[]>,
    most: number,
  ): { deepest: number; depthOf(object: string): number } {
    // What the document has is looked up there.
    if (!this.#isWaiting && !this.#hasReadHistory) this.#parents.clear();
    const made = operations.filter(({ makes }) => makes !== null);
    for (const { id, object } of made) this.#parents.set(id, object);
    const isIncomplete = this.#isWaiting || this.#hasReadHistory;
    this.#isWaiting = false;
    // A collaborative text may stand in place of a text, one level deeper.
    const texts = new Set(made.filter(({ makes }) => makes === 'text').map(({ id }) => id));
    const depthOf = (object: string) => this.#depthOf(object, here, history, most + 1);
    let deepest = 0;
    for (const id of isIncomplete ? [...this.#parents.keys()] : made.map((each) => each.id)) {
      deepest = Math.max(deepest, depthOf(id) - (texts.has(id) ? 1 : 0));
      if (deepest > most) break;
    }
    return { deepest, depthOf };
  }

  /** Objects whose parents are missing count from there. */
  #depthOf(
    id: string,
    here: PlacesHere | null,
    history: () => Iterable<readonly ChangeOperation[]>,
    most: number,
  ): number {
    let object = id;
    for (let steps = 0; steps <= most; steps++) {
      if (object === ROOT) return steps;
      if (!this.#parents.has(object)) {
        const place = placeOf(object, here);
        if (place?.path) return steps + place.path.length;
        if (place) this.#read(history);
      }
      const parent = this.#parents.get(object);
      if (parent === undefined) {
        this.#isWaiting = true;
        return steps;
      }
      object = parent;
    }
    return most + 1;
  }

  /** An object that was deleted, or lost against another one in its place, has no path. It may become visible again. */
  #read(history: () => Iterable<readonly ChangeOperation[]>): void {
    if (this.#hasReadHistory) return;
    this.#hasReadHistory = true;
    for (const operations of history())
      for (const { id, object, makes } of operations) if (makes) this.#parents.set(id, object);
  }
}

function placeOf(object: string, here: PlacesHere | null): { path?: (string | number)[] } | null {
  try {
    return here?.objInfo(object) ?? null;
  } catch {
    return null;
  }
}
