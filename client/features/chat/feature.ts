import { running, type ClientFeature } from '../../platform/features.ts';
import { attachmentsOf } from './attachments/attachment-outbox.ts';
import { attachedOf } from './composer/attached.ts';
import { draftsOf } from './composer/draft-store.ts';
import { THREADS } from './thread/threads.ts';
import { useOwnChanges } from './thread/use-own-changes.ts';

export const chat: ClientFeature = {
  documents: THREADS,
  unsent: [
    { kind: 'pictures', of: attachmentsOf },
    { kind: 'drafts', of: draftsOf },
    { kind: 'pictures', of: attachedOf },
  ],
  background: [running(useOwnChanges)],
};
