import { Info, MapPin } from 'lucide-react';
import type { Charity } from '#shared/charities/contract.ts';
import { formatDate } from '#shared/dates.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';
import { CharityGoal, GivenWords } from './charity-goal.tsx';
import { CharityLogo } from './charity-logo.tsx';
import { DonateLink } from './donate-link.tsx';

const milesWords = (miles: number): string =>
  miles < 1 ? 'in your town' : `${miles.toLocaleString('en-US')} ${miles === 1 ? 'mile' : 'miles'}`;

/** A charity in the list, with its actions. */
export function CharityCard({ charity, onDetails }: { charity: Charity; onDetails: () => void }) {
  const place = [charity.city, charity.state].filter(Boolean).join(', ');
  return (
    <li className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4 shadow-lift">
      <div className="flex flex-wrap items-center gap-3">
        <CharityLogo logoKey={charity.logo_key} />
        <div className="min-w-0 flex-1 basis-36">
          <h2 className="text-lg leading-snug font-bold break-words">{charity.charity_name}</h2>
          {place && (
            <p className="flex items-center gap-1 text-sm text-soft">
              <MapPin aria-hidden className="size-4 shrink-0" />
              <span className="min-w-0 break-words">
                {place}
                {charity.distance_miles !== null && (
                  <span>{` · ${milesWords(charity.distance_miles)}`}</span>
                )}
              </span>
            </p>
          )}
        </div>
      </div>
      <p className="line-clamp-3 break-words">{charity.description}</p>
      {charity.goal_cents !== null && (
        <CharityGoal goal={charity.goal_cents} raised={charity.total_donated_cents} />
      )}
      {charity.updates[0] && (
        <p className="line-clamp-2 border-l-4 border-line-strong pl-3 text-sm break-words">
          <span className="text-soft">
            <Time at={charity.updates[0].at} format={formatDate} />
            {': '}
          </span>
          {charity.updates[0].text}
        </p>
      )}
      <p className="text-sm font-bold text-soft empty:hidden">
        <GivenWords charity={charity} />
      </p>
      <div className="mt-auto flex flex-wrap gap-3 pt-1">
        <Button look="secondary" className="flex-1" onClick={onDetails} Icon={Info}>
          Details<span className="sr-only"> of {charity.charity_name}</span>
        </Button>
        <DonateLink charity={charity} />
      </div>
    </li>
  );
}
