import type { SyncState } from '../documents/document-state.ts';

export interface SyncWords {
  state: 'offline' | 'syncing' | 'saved';
  /** The text of the chip. */
  label: string;
  /** The number of unsent items while offline. */
  toSend: number;
  /** The full explanation. */
  explanation: string;
  /** Whether unsaved changes may be lost. */
  atRisk: boolean;
}

/** What the user may lose, by where edits are stored. */
export const RISK = {
  device: '',
  refusing:
    'This browser can’t store your edits right now (it may be out of space). Keep this page open until they’re saved.',
  memory:
    'This browser isn’t storing anything on this device. Unsaved changes will be lost when you close this page.',
} satisfies Record<SyncState['storage'], string>;

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

/** Counts of unsent items apart from document changes. */
export interface Unsent {
  pictures: number;
  sounds: number;
  /** Calls in the outbox. */
  actions: number;
}

/** Formats the unsent items, such as '2 changes, 1 picture and 1 action'; empty when there are none. */
export function waitingWords(
  { unconfirmed }: Pick<SyncState, 'unconfirmed'>,
  { pictures, sounds, actions }: Unsent,
): string {
  const items = [
    unconfirmed > 0 && count(unconfirmed, 'change', 'changes'),
    pictures > 0 && count(pictures, 'picture', 'pictures'),
    sounds > 0 && count(sounds, 'sound', 'sounds'),
    actions > 0 && count(actions, 'action', 'actions'),
  ].filter((item) => item !== false);
  const last = items.pop() ?? '';
  return items.length > 0 ? `${items.join(', ')} and ${last}` : last;
}

/** Returns the text of the chip. 'Saved' means that the server has stored everything. */
export function syncWords(sync: SyncState, unsent: Unsent): SyncWords {
  const risk = RISK[sync.storage];
  const otherUnsent = unsent.pictures + unsent.sounds + unsent.actions;
  const toSend = sync.connection === 'offline' ? sync.unconfirmed + otherUnsent : 0;
  const words = (state: SyncWords['state'], label: string, explanation: string) => ({
    state,
    label,
    toSend,
    explanation: [explanation, risk].filter(Boolean).join(' '),
    atRisk: sync.storage !== 'device',
  });
  const waiting = waitingWords(sync, unsent);
  if (sync.connection === 'offline') {
    if (waiting)
      return words(
        'offline',
        'Offline',
        `You’re offline. Not saved on our server yet: ${waiting}${sync.storage === 'device' ? ', stored on this device' : ''}. We’ll sync once you’re online.`,
      );
    return words(
      'offline',
      'Offline',
      sync.isConfirmed
        ? 'You’re offline. Everything on this device is saved on our server. You can keep editing.'
        : 'You’re offline. You can keep editing; we’ll send your changes once you’re online.',
    );
  }
  if (sync.connection === 'connected' && sync.isConfirmed && otherUnsent === 0)
    return words('saved', 'Saved', 'Everything on this device is saved on our server.');
  return words(
    'syncing',
    waiting ? 'Saving…' : 'Syncing…',
    waiting ? `Sending ${waiting} to our server.` : 'Comparing this device with our server.',
  );
}
