import type { PublicCharity } from '#shared/charities/contract.ts';
import { raisedWords } from '#shared/charities/rules.ts';
import { dollars } from '#shared/money.ts';

/** How much of the goal is reached, by what the charity reports. */
export function CharityGoal({ goal, raised }: { goal: number; raised: number }) {
  const share = Math.min(1, raised / goal);
  return (
    <div className="flex flex-col gap-1.5">
      <p>
        <b>{dollars(raised)}</b> of {dollars(goal)}
        <span className="text-soft">, as the charity reports</span>
      </p>
      <div
        role="meter"
        aria-label="Goal"
        aria-valuenow={raised / 100}
        aria-valuemin={0}
        aria-valuemax={goal / 100}
        aria-valuetext={`${dollars(raised)} of ${dollars(goal)}`}
        className="h-3 overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full bg-accent" style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}

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
