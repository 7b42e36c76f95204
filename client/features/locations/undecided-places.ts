import { z } from 'zod';
import { readCache } from '../../platform/local-cache.ts';
import { Store } from '../../platform/store.ts';
import type { UserDocuments } from '../../platform/sync/documents/user-documents.ts';

// Without the schema of a place, which the other screens don't need.

/** In a user's cache: new places that resemble existing ones, about which their owner has to decide. */
export const UNDECIDED_PLACES = 'undecided-places';

/** Notified when one is added or decided. */
export const undecidedChanges = new Store();

/** Counts those of a user: the server refused them, and they are only on this device. */
export const undecidedPlacesOf = ({ userId, database }: UserDocuments) => ({
  subscribe(listener: () => void) {
    // Opening the database restores what an ended session left.
    void database.then(listener);
    return undecidedChanges.subscribe(listener);
  },
  getUnsentCount: () => 0,
  getRefusedCount: () => readCache(z.array(z.unknown()), userId, UNDECIDED_PLACES)?.length ?? 0,
});
