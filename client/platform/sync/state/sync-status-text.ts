import type { RefusalReason } from '#shared/sync/refusals.ts';
import type { SyncState } from './document-state.ts';
import { obstacleText } from './obstacle.ts';

export interface SyncWords {
  state: 'offline' | 'syncing' | 'saved' | 'refused';
  /** The text of the chip. */
  label: string;
  /** The number of unsent items while offline. */
  toSend: number;
  /** The full explanation. */
  explanation: string;
  /** Whether unsaved changes may be lost. */
  atRisk: boolean;
  /** Whether the texts say of all changes, or all but those that are named, that the server has them. */
  claimsSaved: boolean;
}

/** What the user may lose, by where edits are stored. */
const RISK = {
  device: '',
  refusing:
    'This browser can’t store your edits right now (it may be out of space). Keep this page open until they’re saved.',
  memory:
    'This browser isn’t storing anything on this device. Unsaved changes will be lost when you close this page.',
} satisfies Record<SyncState['storage'], string>;
const LOST =
  'This browser deleted what was stored on this device. What our server didn’t have yet may be gone. Keep this page open until everything is saved.';

const UNREADABLE =
  'This browser can’t read all that’s stored on this device right now, so some changes may not be saved on our server. We’ll try again. If this stays, reload this page.';

/** Says what the user may lose on this device; empty while nothing. */
export const riskWords = ({ storage, hasLostStorage, isUnreadable }: SyncState): string =>
  [RISK[storage], hasLostStorage ? LOST : '', isUnreadable ? UNREADABLE : '']
    .filter(Boolean)
    .join(' ');

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

/** Why our server did not save one change, and several. */
const WHY = {
  too_deep: ['It’s too complex.', 'They’re too complex.'],
  too_large: ['It’s too large.', 'They’re too large.'],
  full: ['There’s no space left for it.', 'There’s no space left for them.'],
  not_yours: ['You can’t edit this right now.', 'You can’t edit this right now.'],
  timestamped: ['The server couldn’t use it.', 'The server couldn’t use them.'],
  incomplete: ['A part of it is missing.', 'Some are missing.'],
  invalid: ['The server couldn’t use it.', 'The server couldn’t use them.'],
  too_many: ['Too much is open at once.', 'Too much is open at once.'],
  unavailable: [
    'The server can’t open what it belongs to.',
    'The server can’t open what they belong to.',
  ],
} satisfies Record<RefusalReason, [string, string]>;

/** Says what the server refused; empty if it refused nothing. */
function refusalWords({ refused, refusal }: SyncState, risk: string): string {
  if (refusal === null) return '';
  if (refused === 0 && refusal === 'unavailable')
    return 'Our server can’t open some of your data. We’ll try again.';
  const isOne = refused === 1;
  const what = refused === 0 ? 'some changes' : count(refused, 'change', 'changes');
  const [are, them] = isOne ? ['It’s', 'it'] : ['They’re', 'them'];
  const kept = risk === '' ? `${are} stored on this device, and we’ll` : 'We’ll';
  return `Our server didn’t save ${what}. ${WHY[refusal][isOne ? 0 : 1]} ${kept} send ${them} again later.`;
}

/** What this device left out. */
const LEFT_OUT =
  'Something that our server sent doesn’t look right, so this device left it out. Everything else works, and we’ll try again.';

const NO_ROOM = 'Your last change wasn’t saved: there’s no space left for it.';

/** Counts of items apart from document changes. */
interface Items {
  pictures: number;
  sounds: number;
  drafts?: number;
  /** Calls in the outbox. */
  actions: number;
}

/** Counts of unsent items apart from document changes. */
export interface Unsent extends Items {
  /** Those that the server refused, and that are only on this device. */
  refused?: Items;
  /** Those that the user has not sent, and that are only on this device. */
  kept?: Items;
  /** Whether what earlier starts stored on this device is not read yet: there may be more. */
  isUnread?: boolean;
}

const NONE: Items = { pictures: 0, sounds: 0, actions: 0 };

const sumOf = ({ pictures, sounds, drafts = 0, actions }: Items): number =>
  pictures + sounds + drafts + actions;

/** Formats the unsent items, such as '2 changes, 1 picture and 1 action'; empty when there are none. */
export function waitingWords(
  { unconfirmed }: Pick<SyncState, 'unconfirmed'>,
  { pictures, sounds, drafts = 0, actions }: Items,
): string {
  const items = [
    unconfirmed > 0 && count(unconfirmed, 'change', 'changes'),
    pictures > 0 && count(pictures, 'photo or voice note', 'photos or voice notes'),
    sounds > 0 && count(sounds, 'sound', 'sounds'),
    drafts > 0 && count(drafts, 'draft', 'drafts'),
    actions > 0 && count(actions, 'action', 'actions'),
  ].filter((item) => item !== false);
  const last = items.pop() ?? '';
  return items.length > 0 ? `${items.join(', ')} and ${last}` : last;
}

const bothOf = (some: Items, others: Items): Items => ({
  pictures: some.pictures + others.pictures,
  sounds: some.sounds + others.sounds,
  drafts: (some.drafts ?? 0) + (others.drafts ?? 0),
  actions: some.actions + others.actions,
});

/** The same, also of what the server refused, what the user has not sent, and what this device has not read. */
export function unsavedWords(sync: SyncState, unsent: Unsent): string {
  const { refused = NONE, kept = NONE } = unsent;
  const words = waitingWords(
    { unconfirmed: sync.unconfirmed + sync.refused },
    bothOf(unsent, bothOf(refused, kept)),
  );
  if (isAllRead(sync, unsent)) return words;
  return words ? `${words}, and maybe more` : 'maybe something that this device hasn’t read yet';
}

/** Whether it is known what waits on this device. */
export const isAllRead = (
  { isUnread, isUnreadable }: Pick<SyncState, 'isUnread' | 'isUnreadable'>,
  unsent: Unsent,
): boolean => !isUnread && !isUnreadable && !unsent.isUnread;

/** Says which items the server refused; empty if none. */
function refusedItemsWords(refused: Items): string {
  const count = sumOf(refused);
  if (count === 0) return '';
  const what = waitingWords({ unconfirmed: 0 }, refused);
  return `Our server didn’t accept ${what}. ${count === 1 ? 'It’s' : 'They’re'} only on this device.`;
}

/**
 * Returns the text of the chip. 'Saved' means that the server has stored everything. Its states are in ARCHITECTURE.md, “What the chip
 * says”.
 */
export function syncWords(sync: SyncState, unsent: Unsent): SyncWords {
  const risk = riskWords(sync);
  const otherUnsent = sumOf(unsent);
  const refusedItems = refusedItemsWords(unsent.refused ?? NONE);
  const toSend = sync.connection === 'offline' ? sync.unconfirmed + otherUnsent : 0;
  const words = (state: SyncWords['state'], label: string, explanation: string) => ({
    state,
    label,
    toSend,
    explanation: [
      explanation,
      refusalWords(sync, risk),
      refusedItems,
      sync.hasNoRoom ? NO_ROOM : '',
      sync.hasLeftOut ? LEFT_OUT : '',
      risk,
    ]
      .filter(Boolean)
      .join(' '),
    atRisk: risk !== '',
    claimsSaved: /\bare saved\b/.test(explanation),
  });
  const waiting = waitingWords(sync, unsent);
  const obstacle = obstacleText(sync.obstacle);
  if (obstacle) return words('refused', 'Not syncing', obstacle);
  if (sync.connection === 'offline' && sync.isRejected)
    return words(
      'refused',
      'Not syncing',
      `Our server doesn’t understand this version of the app. Reload this page.${waiting ? ` Not saved on our server yet: ${waiting}.` : ''}`,
    );
  if (sync.connection === 'offline') {
    if (waiting)
      return words(
        'offline',
        'Offline',
        `You’re offline. Not saved on our server yet: ${waiting}${risk === '' ? ', stored on this device' : ''}. We’ll sync once you’re online.`,
      );
    return words(
      'offline',
      'Offline',
      sync.isConfirmed && sync.refusal === null && !refusedItems && isAllRead(sync, unsent)
        ? 'You’re offline. All your changes are saved on our server; walks stay on this device. You can keep editing.'
        : 'You’re offline. You can keep editing; we’ll send your changes once you’re online.',
    );
  }
  if (sync.isUnreadable && !waiting) return words('refused', 'Not all synced', '');
  const isDone =
    sync.connection === 'connected' &&
    sync.isConfirmed &&
    sync.isCompared &&
    otherUnsent === 0 &&
    isAllRead(sync, unsent);
  if (isDone && (sync.refusal !== null || sync.hasNoRoom || refusedItems))
    return words('refused', 'Not all saved', 'All other changes are saved.');
  if (isDone && sync.hasLeftOut)
    return words('refused', 'Not all synced', 'All your changes are saved on our server.');
  if (isDone)
    return words(
      'saved',
      'Saved',
      'All your changes are saved on our server. Walks stay on this device.',
    );
  return words(
    'syncing',
    waiting ? 'Saving…' : 'Syncing…',
    waiting ? `Sending ${waiting} to our server.` : 'Comparing this device with our server.',
  );
}
