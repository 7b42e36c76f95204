import { Info, MapPin } from 'lucide-react';
import { raisedWords } from '#shared/charities/rules.ts';
import type { Charity, PublicCharity } from '#shared/charities/contract.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { CharityLogo } from './charity-logo.tsx';
import { DonateLink } from './donate-link.tsx';

const visitWords = (count: number) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'visit' : 'visits'} to its donation page`;

/** Known donations or visits from here; empty if there are none. */
export function GivenWords({ charity }: { charity: PublicCharity }) {
  const { total_donated_cents, donation_count } = charity;
  if (total_donated_cents > 0)
    return (
      <>
        {raisedWords(total_donated_cents)}
        <span className="font-normal">, as the charity reports</span>
      </>
    );
  return donation_count > 0 ? <>{visitWords(donation_count)}</> : null;
}

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
              <span className="min-w-0 break-words">{place}</span>
            </p>
          )}
        </div>
      </div>
      <p className="line-clamp-3 break-words">{charity.description}</p>
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
