import { DAY_MS } from '#shared/time.ts';
import type { CapMessage } from './cap.ts';

/** What decides whether a message is in force in a cell. */
export type MessageOrder = Pick<
  CapMessage,
  'alert_id' | 'kind' | 'references' | 'zones' | 'vtec' | 'sent_at' | 'expires_at'
>;

/** A message that was listed for a cell. */
export interface ReceivedMessage extends MessageOrder {
  /** When it was listed last. */
  received_at: Date;
}

/** How long a cell remembers messages that are no longer listed, in case an older answer comes later. */
const REMEMBERED_MS = DAY_MS;
const REMEMBERED_MAX = 100;

/** Whether two messages may name the same zone. */
const mayMeet = (a: MessageOrder, b: MessageOrder): boolean =>
  a.zones.length === 0 || b.zones.length === 0 || a.zones.some((zone) => b.zones.includes(zone));

/** Whether a message takes the place of another in a cell for which both were listed. */
function replaces(later: MessageOrder, earlier: MessageOrder): boolean {
  if (later.alert_id === earlier.alert_id || later.sent_at < earlier.sent_at) return false;
  // An update of one zone says nothing about the others.
  if (!mayMeet(later, earlier)) return false;
  if (later.references.includes(earlier.alert_id))
    return later.sent_at > earlier.sent_at || !earlier.references.includes(later.alert_id);
  // The same event without a reference. The parts of a split have one time: none replaces another.
  return later.vtec !== null && later.vtec === earlier.vtec && later.sent_at > earlier.sent_at;
}

const isOver = ({ expires_at }: MessageOrder, now: Date): boolean =>
  expires_at !== null && expires_at <= now;

/**
 * Decides which messages are in force in one cell. Only what was listed for this cell counts: the same message may be replaced
 * here and go on elsewhere.
 * @param listed the weather service's current answer for the cell
 * @param remembered the result of the last call for the cell
 * @returns the ids of the messages in force, and what to remember
 */
export function resolveCell(
  listed: readonly MessageOrder[],
  remembered: readonly ReceivedMessage[],
  now: Date,
): { inForce: string[]; received: ReceivedMessage[] } {
  const received = new Map<string, ReceivedMessage>();
  for (const message of remembered)
    if (message.received_at.getTime() > now.getTime() - REMEMBERED_MS)
      received.set(message.alert_id, message);
  for (const message of listed) received.set(message.alert_id, { ...message, received_at: now });
  const known = [...received.values()];
  const wanted = new Set(listed.map(({ alert_id }) => alert_id));
  // An answer that lists what was replaced, without what replaced it, is an older one: that goes on.
  const isReplacedHere = (message: MessageOrder) =>
    listed.some((later) => replaces(later, message));
  for (const id of wanted) {
    const message = received.get(id) as ReceivedMessage;
    // A cancellation stays listed, also after a later message of its event.
    if (message.kind !== 'cancel' && !isReplacedHere(message))
      for (const later of known) if (replaces(later, message)) wanted.add(later.alert_id);
  }
  const inForce = known.filter(
    (message) =>
      wanted.has(message.alert_id) &&
      message.kind !== 'cancel' &&
      !isOver(message, now) &&
      // Also by one that is over: it ended what it replaced.
      !known.some((later) => replaces(later, message)),
  );
  return {
    inForce: inForce.map(({ alert_id }) => alert_id),
    received: known
      .toSorted(
        (a, b) =>
          b.received_at.getTime() - a.received_at.getTime() ||
          b.sent_at.getTime() - a.sent_at.getTime(),
      )
      .slice(0, REMEMBERED_MAX),
  };
}
