import { running, type ClientFeature } from '../../platform/features.ts';
import { draftsOf } from './composer/draft-store.ts';
import { photosOf } from './photos/photo-outbox.ts';
import { THREADS } from './thread/threads.ts';
import { useOwnChanges } from './thread/use-own-changes.ts';

export const chat: ClientFeature = {
  documents: THREADS,
  unsent: [
    { kind: 'pictures', of: photosOf },
    { kind: 'drafts', of: draftsOf },
  ],
  background: [running(useOwnChanges)],
};
