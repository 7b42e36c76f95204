import type { PublicCharity } from '#shared/charities/contract.ts';
import { raisedWords } from '#shared/charities/rules.ts';

/** Known donations; empty if there are none. Visits from here aren't shown: nobody knows whether they gave. */
export function GivenWords({ charity: { total_donated_cents } }: { charity: PublicCharity }) {
  if (total_donated_cents <= 0) return null;
  return (
    <>
      {raisedWords(total_donated_cents)}
      <span className="font-normal">, as the charity reports</span>
    </>
  );
}
