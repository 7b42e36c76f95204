import { useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';
import type { Dog } from '#shared/dogs/contract.ts';
import { DeviceValue } from '../../platform/device-value.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { useOwnCard } from '../card/use-card.ts';

/** The ids of the dogs that stay at home: on this walk, and on the next one unless the owner says otherwise. */
const dogsAtHome = new DeviceValue('dogs-at-home', z.array(z.string()));

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
  const atHome = useSyncExternalStore(dogsAtHome.follow, () => dogsAtHome.text(userId));
  return useMemo(() => {
    const dogs = card?.dogs ?? [];
    const home = new Set<string>(JSON.parse(atHome));
    const along = dogs.length > 1 ? dogs.filter(({ id }) => !home.has(id)) : dogs;
    return {
      dogs,
      along,
      ids: along.length === dogs.length ? null : along.map(({ id }) => id),
      toggle(id) {
        if (!home.delete(id)) home.add(id);
        const left = dogs.map((dog) => dog.id).filter((each) => home.has(each));
        dogsAtHome.set(userId, left.length > 0 ? left : null);
      },
    };
  }, [card?.dogs, userId, atHome]);
}
