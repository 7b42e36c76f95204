import { z } from 'zod';
import type { AccountDocument } from '../account/document.ts';
import { readText, text } from '../text.ts';

/** Returns when the owner accepted the community safety guidelines; null if they have not. @param doc untrusted */
export function readAcceptance(doc: unknown): string | null {
  const { guidelines_accepted_at } = (doc ?? {}) as Partial<AccountDocument>;
  const at = z.iso.datetime().safeParse(readText(guidelines_accepted_at, 40));
  return at.success ? at.data : null;
}

/** Named changes of an account about the guidelines: who has accepted them has done so on every device. */
export const acceptanceChanges = {
  'guidelines.accept': {
    input: z.object({ at: z.iso.datetime() }),
    apply(account: AccountDocument, { at }: { at: string }) {
      // The first time counts, also if a second device did not know of it.
      const before = readAcceptance(account);
      if (before === null || at < before) account.guidelines_accepted_at = text(at);
    },
  },
};
