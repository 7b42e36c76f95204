import { useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';
import type { Dog } from '#shared/dogs/contract.ts';
import { readCache, writeCache } from '../local-cache.ts';
import { useOwnCard } from '../profile/use-card.ts';
import { useUser } from '../session/use-auth.tsx';
import { Store } from '../store.ts';

const NAME = 'dogs-at-home';
const stored = z.array(z.string());

/** Which dogs stay at home, in any tab of the browser: on this walk, and on the next one unless the owner says otherwise. */
class DogsAtHome extends Store {
  /** Only where the browser stores nothing. */
  readonly #unstored = new Map<string, string>();

  /** Returns the ids of a user's dogs at home, as JSON. */
  of(userId: string): string {
    return this.#unstored.get(userId) ?? JSON.stringify(readCache(stored, userId, NAME) ?? []);
  }

  set(userId: string, ids: readonly string[]): void {
    const text = JSON.stringify(ids);
    this.#unstored.delete(userId);
    writeCache(userId, NAME, ids.length > 0 ? ids : null);
    if (this.of(userId) !== text) this.#unstored.set(userId, text);
    this.notify();
  }
}
const dogsAtHome = new DogsAtHome();

/** Follows this tab and the other tabs. @returns how to unsubscribe */
function follow(listener: () => void): () => void {
  const unsubscribe = dogsAtHome.subscribe(listener);
  const onStorage = ({ key }: StorageEvent) => (key === null || key.endsWith(NAME)) && listener();
  addEventListener('storage', onStorage);
  return () => {
    unsubscribe();
    removeEventListener('storage', onStorage);
  };
}

export interface DogsAlong {
  /** All dogs of the owner. */
  dogs: readonly Dog[];
  /** Those that come along: also a new one, until the owner says that it stays at home. An only dog always does. */
  along: readonly Dog[];
  /** The ids of those that come along; null if all do. */
  ids: readonly string[] | null;
  /** Takes a dog along, or leaves it at home. */
  toggle: (id: string) => void;
}

/** Returns which of the owner's dogs come along on the walk with this device. Warnings are about these. */
export function useDogsAlong(): DogsAlong {
  const card = useOwnCard();
  const userId = useUser()?.id ?? '';
  const atHome = useSyncExternalStore(follow, () => dogsAtHome.of(userId));
  return useMemo(() => {
    const dogs = card?.dogs ?? [];
    const home = new Set(stored.parse(JSON.parse(atHome)));
    const along = dogs.length > 1 ? dogs.filter(({ id }) => !home.has(id)) : dogs;
    return {
      dogs,
      along,
      ids: along.length === dogs.length ? null : along.map(({ id }) => id),
      toggle(id) {
        if (!home.delete(id)) home.add(id);
        dogsAtHome.set(
          userId,
          dogs.map((dog) => dog.id).filter((each) => home.has(each)),
        );
      },
    };
  }, [card?.dogs, userId, atHome]);
}
