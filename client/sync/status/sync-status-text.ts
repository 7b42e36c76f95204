import type { SyncState } from '../documents/document-state.ts';

export interface SyncWords {
  state: 'offline' | 'syncing' | 'saved';
  /** What the chip says. */
  label: string;
  /** How much is still to be sent, while there is no connection. */
  toSend: number;
  /** The whole of it, in sentences. */
  explanation: string;
  /** Whether this device may lose what the server does not have yet. */
  atRisk: boolean;
}

/** What a person may lose, by where edits are kept. */
export const RISK = {
  device: '',
  refusing:
    'This browser can’t store your edits right now (it may be out of space). Keep this page open until they’re saved.',
  memory:
    'This browser isn’t storing anything on this device. Unsaved changes will be lost when you close this page.',
} satisfies Record<SyncState['storage'], string>;

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

/** How much is still to be sent besides changes of documents. */
export interface Unsent {
  pictures: number;
  sounds: number;
  /** Calls in the outbox. */
  actions: number;
}

/** What the server does not have yet, such as '2 changes, 1 picture and 1 action'; empty when it has all. */
export function waitingWords(
  { unconfirmed }: Pick<SyncState, 'unconfirmed'>,
  { pictures, sounds, actions }: Unsent,
): string {
  const parts = [
    unconfirmed > 0 && count(unconfirmed, 'change', 'changes'),
    pictures > 0 && count(pictures, 'picture', 'pictures'),
    sounds > 0 && count(sounds, 'sound', 'sounds'),
    actions > 0 && count(actions, 'action', 'actions'),
  ].filter((part) => part !== false);
  const last = parts.pop() ?? '';
  return parts.length > 0 ? `${parts.join(', ')} and ${last}` : last;
}

/** What the chip says, never better than it is: saved means that the server's disk has all of it. */
export function syncWords(sync: SyncState, unsent: Unsent): SyncWords {
  const risk = RISK[sync.storage];
  const besides = unsent.pictures + unsent.sounds + unsent.actions;
  const toSend = sync.connection === 'offline' ? sync.unconfirmed + besides : 0;
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
  if (sync.connection === 'connected' && sync.isConfirmed && besides === 0)
    return words('saved', 'Saved', 'Everything on this device is saved on our server.');
  return words(
    'syncing',
    waiting ? 'Saving…' : 'Syncing…',
    waiting ? `Sending ${waiting} to our server.` : 'Comparing this device with our server.',
  );
}
