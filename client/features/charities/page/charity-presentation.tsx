import { ExternalLink, MapPin } from 'lucide-react';
import { isWebAddress } from '#shared/ads/rules.ts';
import type { PublicCharity } from '#shared/charities/contract.ts';
import { formatDate } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { CharityDetails } from '../charity-details.tsx';
import { CharityLogo } from '../charity-logo.tsx';

/** A charity as its page and the applicant's preview show it: picture, story, goal and updates. */
export function CharityPresentation({
  charity,
  level,
}: {
  charity: PublicCharity;
  level: 'h1' | 'h2';
}) {
  const Heading = level;
  const place = [charity.city, charity.state].filter(Boolean).join(', ');
  return (
    <article className="flex flex-col gap-5">
      <header className="flex flex-wrap items-center gap-4">
        <CharityLogo logoKey={charity.logo_key} />
        <div className="min-w-0 flex-1 basis-48">
          <Heading tabIndex={-1} className="text-3xl font-bold tracking-tight break-words">
            {charity.charity_name}
          </Heading>
          {place && (
            <p className="flex items-center gap-1 text-soft">
              <MapPin aria-hidden className="size-4 shrink-0" />
              <span className="min-w-0 break-words">{place}</span>
            </p>
          )}
        </div>
      </header>
      {charity.goal_cents !== null && (
        <Goal goal={charity.goal_cents} raised={charity.total_donated_cents} />
      )}
      {isWebAddress(charity.payment_link) && (
        <a
          href={charity.payment_link}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-12 items-center justify-center gap-2 rounded-control bg-accent px-5 font-bold text-on-accent hover:bg-accent-hover"
        >
          <ExternalLink aria-hidden className="size-5 shrink-0" />
          Donate on its own page<span className="sr-only">, in a new window</span>
        </a>
      )}
      {charity.story && (
        <section aria-label="Story">
          <p className="break-words whitespace-pre-line">{charity.story}</p>
        </section>
      )}
      {charity.updates.length > 0 && (
        <section aria-labelledby="updates" className="flex flex-col gap-3">
          <h2 id="updates" className="text-xl font-bold">
            Updates
          </h2>
          <ol className="flex flex-col gap-3">
            {charity.updates.map(({ text, at }) => (
              <li key={at} className="border-l-4 border-line-strong pl-3">
                <p className="text-sm text-soft">
                  <Time at={at} format={formatDate} />
                </p>
                <p className="break-words whitespace-pre-line">{text}</p>
              </li>
            ))}
          </ol>
        </section>
      )}
      <CharityDetails charity={charity} />
    </article>
  );
}

/** How much of the goal is reached, by what the charity reports. */
function Goal({ goal, raised }: { goal: number; raised: number }) {
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
