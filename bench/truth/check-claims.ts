import type { Claims } from '../../tests/chat/simulation/device-protocol.ts';
import type { StoredContent } from './disk.ts';
import { PERHAPS, type Intent, type Intents } from './intents.ts';
import { DEVICES, FRIEND, type DeviceIndex } from './script.ts';

const SENT = new Set(['server', 'delivered', 'read']);
/** Not what was stored before the browser deleted it. */
const STORED = /(?<!was )stored on this device/u;

type Written = Pick<Intent, 'kind' | 'text' | 'hasPhoto'>;

/** Whether a disk has all of something that was written. */
const isOn = (disk: StoredContent | undefined, { kind, text, hasPhoto }: Written): boolean =>
  (kind === 'message' ? disk?.messages.has(text) : disk?.dogs.has(text)) === true &&
  (!hasPhoto || disk?.pictured.has(text) === true);

/** Whether a text was among those, or what it was before its author edited it: delivery is a message's, not a text's. */
const wasIn = (texts: ReadonlySet<string>, { text, former }: Intent): boolean =>
  texts.has(text) || (former !== null && wasIn(texts, former));

const nameOf = ({ kind, text, hasPhoto }: Written): string =>
  `${kind} ${text}${hasPhoto ? ' with its picture' : ''}`;

/**
 * Compares what the screens of a device claimed with what was read afterwards.
 * @param disk what the server's disk has of the device's owner
 * @param seen the texts that were ever on the friend's device; null if that isn't known now
 * @param fullSince since when the device stores nothing, in ms; null if it does, or if a browser decides when it stops
 * @returns the claims that were untrue
 */
export function untrueClaims(
  device: DeviceIndex,
  claims: Claims,
  intents: Intents,
  disk: StoredContent,
  seen: ReadonlySet<string> | null,
  fullSince: number | null,
): string[] {
  const owner = DEVICES[device];
  const wrong: string[] = [];
  for (const { text, isOwn, delivery } of claims.threads.flatMap(({ messages }) => messages)) {
    const intent = intents.find(text);
    // Removal and blocks take it from the disk first.
    if (!isOwn || !intent || intent.isRemoved) continue;
    if (intent.excuse === 'blocked' || intent.excuse === PERHAPS) continue;
    if (SENT.has(delivery ?? '') && !disk.messages.has(text))
      wrong.push(`“${delivery}” of ${text}, which the server does not have`);
    if (owner !== 'ann') continue;
    if (seen && (delivery === 'delivered' || delivery === 'read') && !wasIn(seen, intent))
      wrong.push(`“${delivery}” of ${text}, which was never on the friend's device`);
    if (delivery === 'read' && !wasIn(intents.read, intent))
      wrong.push(`“read” of ${text}, which the friend never read`);
  }
  const saysSaved = claims.chip.explanation.includes('All your changes are saved');
  const claim = saysSaved ? `“${claims.chip.label}”` : 'nothing lost by a logout';
  if (saysSaved || claims.unsaved === '') {
    for (const typed of intents.typed.get(owner) ?? [])
      if (typed.device === device && !disk.drafts.has(typed.text))
        wrong.push(`${claim} without the draft ${typed.text}`);
    for (const intent of intents.due)
      if (intent.by === owner && intent.device === device && !isOn(disk, intent))
        wrong.push(`${claim} without ${nameOf(intent)}`);
  }
  if (fullSince !== null && STORED.test(claims.chip.explanation)) {
    for (const intent of intents.due)
      if (
        intent.device === device &&
        intent.at >= fullSince &&
        !intents.isFresh(intent) &&
        !isOn(disk, intent)
      )
        wrong.push(`“stored on this device” of ${nameOf(intent)}, although the disk is full`);
    for (const { text, removal } of intents.all)
      if (removal?.device === device && removal.at >= fullSince && disk.messages.has(text))
        wrong.push(`“stored on this device” of the removal of ${text}, although the disk is full`);
  }
  return wrong.map((each) => `device ${device}: ${each}`);
}

/**
 * Returns what the devices show wrongly when all are online and at rest.
 * @param refused the devices on which something was written that the server refuses
 */
export function unfinished(
  all: readonly (Claims | null)[],
  intents: Intents,
  disks: Readonly<Record<string, StoredContent>>,
  isBlocked: boolean,
  refused: ReadonlySet<DeviceIndex>,
): string[] {
  const wrong: string[] = [];
  for (const [device, claims] of all.entries())
    if (refused.has(device as DeviceIndex) && claims?.chip.label === 'Not all saved') continue;
    else if (claims?.chip.label !== 'Saved')
      wrong.push(`device ${device} says “${claims?.chip.label}”: ${claims?.chip.explanation}`);
  for (const [by, typed] of intents.typed)
    for (const { text, device } of typed)
      if (!disks[by]?.drafts.has(text)) wrong.push(`lost: the draft ${text} of device ${device}`);
  for (const intent of intents.due) {
    const { kind, text, by, device, hasPhoto } = intent;
    if (!isOn(disks[by], intent)) {
      wrong.push(`lost: ${nameOf(intent)} of device ${device}`);
      continue;
    }
    for (const [other, claims] of all.entries()) {
      const shown =
        kind === 'message'
          ? claims?.threads.flatMap(({ messages }) =>
              messages.filter((each) => !hasPhoto || each.hasPhoto).map((each) => each.text),
            )
          : DEVICES[other] === by
            ? claims?.dogs
            : [text];
      if (!shown?.includes(text)) wrong.push(`device ${other} does not show ${nameOf(intent)}`);
    }
  }
  if (isBlocked) return wrong;
  for (const { text } of intents.all.filter(({ isRemoved }) => isRemoved))
    for (const [device, claims] of all.entries())
      if (claims?.threads.some(({ messages }) => messages.some((each) => each.text === text)))
        wrong.push(`device ${device} still shows the removed message ${text}`);
  const unread = new Set(all[FRIEND]?.threads.flatMap((thread) => thread.unread));
  for (const intent of intents.due) {
    const { text, kind, by } = intent;
    if (kind === 'message' && by === 'ann' && !wasIn(intents.read, intent) && !unread.has(text))
      wrong.push(`no unread badge for ${text}, which the friend never read`);
  }
  return wrong;
}
