import type { Claims } from '../../tests/chat/simulation/device-protocol.ts';
import type { StoredContent } from './disk.ts';
import type { Intents } from './intents.ts';
import { DEVICES, FRIEND, type DeviceIndex } from './script.ts';

const SENT = new Set(['server', 'delivered', 'read']);

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
  const isStored = (kind: 'message' | 'dog', text: string) =>
    (kind === 'message' ? disk.messages : disk.dogs).has(text);
  for (const { text, isOwn, delivery } of claims.threads.flatMap(({ messages }) => messages)) {
    const intent = intents.find(text);
    // Removal and blocks take it from the disk first.
    if (!isOwn || !intent || intent.isRemoved) continue;
    if (intent.excuse === 'blocked' || intent.excuse === 'perhaps removed') continue;
    if (SENT.has(delivery ?? '') && !isStored('message', text))
      wrong.push(`“${delivery}” of ${text}, which the server does not have`);
    if (owner !== 'ann') continue;
    if (seen && (delivery === 'delivered' || delivery === 'read') && !seen.has(text))
      wrong.push(`“${delivery}” of ${text}, which was never on the friend's device`);
    if (delivery === 'read' && !intents.read.has(text))
      wrong.push(`“read” of ${text}, which the friend never read`);
  }
  if (claims.chip.explanation.includes('All your changes are saved')) {
    for (const typed of intents.typed.get(owner) ?? [])
      if (typed.device === device && !disk.drafts.has(typed.text))
        wrong.push(`“${claims.chip.label}” without the draft ${typed.text}`);
    for (const { kind, text, by, device: from } of intents.due)
      if (by === owner && from === device && !isStored(kind, text))
        wrong.push(`“${claims.chip.label}” without ${kind} ${text}`);
  }
  if (fullSince !== null && claims.chip.explanation.includes('stored on this device')) {
    for (const { kind, text, device: from, at } of intents.due)
      if (from === device && at >= fullSince && !intents.isFresh({ at }) && !isStored(kind, text))
        wrong.push(`“stored on this device” of ${kind} ${text}, although the disk is full`);
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
  for (const { kind, text, by, device } of intents.due) {
    const disk = disks[by];
    if (!(kind === 'message' ? disk?.messages : disk?.dogs)?.has(text)) {
      wrong.push(`lost: ${kind} ${text} of device ${device}`);
      continue;
    }
    for (const [other, claims] of all.entries()) {
      const shown =
        kind === 'message'
          ? claims?.threads.flatMap(({ messages }) => messages.map((each) => each.text))
          : DEVICES[other] === by
            ? claims?.dogs
            : [text];
      if (!shown?.includes(text)) wrong.push(`device ${other} does not show ${kind} ${text}`);
    }
  }
  if (isBlocked) return wrong;
  for (const { text } of intents.all.filter(({ isRemoved }) => isRemoved))
    for (const [device, claims] of all.entries())
      if (claims?.threads.some(({ messages }) => messages.some((each) => each.text === text)))
        wrong.push(`device ${device} still shows the removed message ${text}`);
  const unread = new Set(all[FRIEND]?.threads.flatMap((thread) => thread.unread));
  for (const { text, kind, by } of intents.due)
    if (kind === 'message' && by === 'ann' && !intents.read.has(text) && !unread.has(text))
      wrong.push(`no unread badge for ${text}, which the friend never read`);
  return wrong;
}
