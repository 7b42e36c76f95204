import * as A from '@automerge/automerge';
import { expect, test } from 'vitest';
import { initialAccount, type AccountDocument } from '#shared/account/document.ts';
import { acceptanceChanges, readAcceptance } from '#shared/moderation/acceptance.ts';

const EARLY = '2026-03-01T10:00:00.000Z';
const LATE = '2026-03-02T10:00:00.000Z';

const account = () => A.from({ ...initialAccount('user') }) as unknown as A.Doc<AccountDocument>;
const accept = (doc: A.Doc<AccountDocument>, at: string) =>
  A.change(doc, (draft) => acceptanceChanges['guidelines.accept'].apply(draft, { at }));

test('the guidelines are accepted at the earliest time on record', () => {
  expect(readAcceptance(account())).toBeNull();
  const accepted = accept(account(), LATE);
  expect(readAcceptance(accepted)).toBe(LATE);
  const earlier = accept(accepted, EARLY);
  expect(readAcceptance(earlier)).toBe(EARLY);
  expect(readAcceptance(accept(earlier, LATE))).toBe(EARLY);
});

test('accepting the guidelines on two devices at once counts on both', () => {
  const here = account();
  const there = A.clone(here);
  const both = A.merge(accept(here, EARLY), accept(there, LATE));
  expect([EARLY, LATE]).toContain(readAcceptance(both));
});

test('ignores acceptances whose value is not a time', () => {
  for (const none of [
    null,
    {},
    { guidelines_accepted_at: 'yes' },
    { guidelines_accepted_at: true },
  ])
    expect(readAcceptance(none)).toBeNull();
  const { input } = acceptanceChanges['guidelines.accept'];
  expect(input.safeParse({ at: 'now' }).success).toBe(false);
});
