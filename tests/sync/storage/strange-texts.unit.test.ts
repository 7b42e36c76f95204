import { next as A } from '@automerge/automerge';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readSegment } from '#shared/chat/document.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import { readCard, type CardDocument } from '#shared/profile/document.ts';
import { wellFormed } from '../../../api/platform/http/well-formed.ts';

const halves = fc.constantFrom('\ud83d', '\udc15', '\0', 'a', 'é', '🐕', ' ');
const strange = fc.array(halves, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));

const AT = '2026-11-29T12:00:00.000Z';
const place = { friend_user_id: 'bo', thread_id: 't', number: 1, after: 0 };

/** Makes a change on a device. @returns the document there, and on a device that received it */
function changed<T extends object>(initial: T, change: (doc: T) => void): [here: T, there: T] {
  const here = A.change(A.from(initial as Record<string, unknown>), change as never);
  return [here, A.load<T>(A.save(here))] as unknown as [T, T];
}

it('shows a message with halves of characters the same on all devices, and as the API would write it', () => {
  const { segment } = documentKinds;
  const { input, apply } = segment.changes['message.add'];
  fc.assert(
    fc.property(strange, (text) => {
      const clean = String(wellFormed(text)).trim();
      const parsed = input.safeParse({ key: 'k', seq: 1, device: 'd', at: AT, text });
      // Nothing is left of it: its author is told at once.
      expect(parsed.success).toBe(clean !== '');
      if (!parsed.success) return;
      const docs = changed(segment.initial('ann', AT, place), (doc) => apply(doc, parsed.data));
      for (const doc of docs)
        expect(readSegment(doc).messages.map((each) => each.text)).toEqual([clean]);
    }),
  );
});

it('shows a dog’s name the same on all devices', () => {
  const { card } = documentKinds;
  const { input, apply } = card.changes['dog.add'];
  fc.assert(
    fc.property(strange, (name) => {
      const dog = { id: 'rex', name: `R${name}`, sound_type: 'leash_on', created_at: AT };
      const [here, there] = changed(card.initial('ann', AT), (doc) => apply(doc, input.parse(dog)));
      const namesIn = (doc: CardDocument) => readCard(doc).dogs.map((each) => each.name);
      expect(namesIn(here)).toHaveLength(1);
      expect(namesIn(there)).toEqual(namesIn(here));
      expect(wellFormed(namesIn(here))).toEqual(namesIn(here));
    }),
  );
});
