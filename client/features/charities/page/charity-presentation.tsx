import { BadgeCheck, ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { isWebAddress } from '#shared/ads/rules.ts';
import type { PublicCharity } from '#shared/charities/contract.ts';
import { formatDate } from '#shared/dates.ts';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { CharityDetails, hostOf } from '../charity-details.tsx';
import { CharityGoal, GivenWords } from '../charity-goal.tsx';
import { CharityLogo } from '../charity-logo.tsx';

/** A charity as its page and the applicant's preview show it: picture, story, goal and updates. */
export function CharityPresentation({
  charity,
  logoUrl = null,
  donate = <DonationPage charity={charity} />,
  level,
}: {
  charity: PublicCharity;
  /** Of a logo that isn't stored yet. */
  logoUrl?: string | null;
  /** The link to the donation page. */
  donate?: ReactNode;
  level: 'h1' | 'h2' | 'h3';
}) {
  const Heading = level;
  return (
    <article className="flex flex-col gap-5">
      <header className="flex flex-wrap items-center gap-4">
        <CharityLogo
          key={logoUrl ?? charity.logo_key}
          logoKey={charity.logo_key}
          url={logoUrl}
          isPublic
        />
        <div className="min-w-0 flex-1 basis-48">
          <Heading
            tabIndex={-1}
            className={`font-bold tracking-tight break-words ${level === 'h3' ? 'text-xl' : 'text-3xl'}`}
          >
            {charity.charity_name}
          </Heading>
          {charity.is_verified && (
            <p className="flex items-center gap-1 text-soft">
              <BadgeCheck aria-hidden className="size-4 shrink-0 text-accent" />
              <span>We’ve checked that it’s a charity</span>
            </p>
          )}
        </div>
      </header>
      {charity.goal_cents === null ? (
        <p className="font-bold empty:hidden">
          <GivenWords charity={charity} />
        </p>
      ) : (
        <CharityGoal goal={charity.goal_cents} raised={charity.total_donated_cents} />
      )}
      {donate}
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
      <CharityDetails charity={charity} hasHeader={false} />
    </article>
  );
}

function DonationPage({ charity: { payment_link } }: { charity: PublicCharity }) {
  if (!isWebAddress(payment_link)) return null;
  return (
    <a
      href={payment_link}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex min-h-12 items-center justify-center gap-2 rounded-control bg-accent px-5 font-bold text-on-accent hover:bg-accent-hover"
    >
      <ExternalLink aria-hidden className="size-5 shrink-0" />
      Donate at {hostOf(payment_link)}
      <span className="sr-only">, in a new window</span>
    </a>
  );
}
