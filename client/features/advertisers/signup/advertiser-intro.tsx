import { useQuery } from '@tanstack/react-query';
import { CalendarClock, MapPin, Users } from 'lucide-react';
import { placement } from '#shared/ads/contract.ts';
import { getAudience } from '#shared/advertisers/reach-contract.ts';
import {
  BOOKABLE_DAYS,
  LISTING_CENTS,
  LISTING_DAYS,
  LISTING_RADIUS_MAX_MILES,
  SLOT_HOURS,
  timedAdCents,
} from '#shared/advertisers/rules.ts';
import { dollars } from '#shared/money.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { PRODUCT } from '../../../platform/product.ts';
import { Summary } from '../../../platform/ui/layout/summary.tsx';
import { PLACEMENT_NAMES } from '../../ads/placement-labels.ts';
import { PLACEMENT_HINTS } from '../labels.ts';
import { PlacementDrawing } from '../placement-drawing.tsx';

const QUESTIONS: readonly [question: string, answer: string][] = [
  [
    'Do I need an account?',
    'No. You book here, and we email you a link to a page with your ads, their views, clicks and receipts.',
  ],
  [
    'What do you know about who sees my ad?',
    'Ads are chosen by place and time only. We don’t sell or share anything about owners, and nothing follows them to your page.',
  ],
  [
    'When does an ad count as seen?',
    'When at least half of it was on the screen for a second. Clicks are counted, too.',
  ],
  [
    'Can I cancel?',
    'Yes, until it starts, with a full refund. If we have to refuse an ad, you get your money back, too.',
  ],
  ['Does anything renew by itself?', 'No. You pay once, for the time that you chose.'],
  [
    'What isn’t allowed?',
    'Anything that isn’t for dog owners’ eyes: no drugs, weapons, hate, or false claims. An ad never covers a warning or a walk.',
  ],
];

/** What advertising here is and costs, before anybody asks for company data. */
export function AdvertiserIntro({ onBegin }: { onBegin: () => void }) {
  return (
    <div className="mx-auto flex w-full max-w-xl flex-col gap-8 py-4 lg:max-w-none">
      <header className="flex flex-col gap-3 lg:items-start">
        <h1 tabIndex={-1} className="text-3xl font-bold tracking-tight">
          Reach dog owners nearby
        </h1>
        <p className="text-soft">
          Show your shop, practice or café to the people who walk past it with their dogs.
        </p>
        <Audience />
        <button
          type="button"
          onClick={onBegin}
          className="inline-flex min-h-12 items-center justify-center rounded-control bg-accent px-5 font-bold text-on-accent hover:bg-accent-hover"
        >
          Book an ad
        </button>
      </header>

      <section
        aria-labelledby="formats"
        className="grid grid-cols-1 items-start gap-3 lg:grid-cols-2 lg:gap-x-6"
      >
        <h2 id="formats" className="text-xl font-bold lg:col-span-2">
          Two ways to be seen
        </h2>
        <article className="flex flex-col gap-2 rounded-card border border-line bg-surface p-4 shadow-lift">
          <h3 className="flex items-center gap-2 font-bold">
            <CalendarClock aria-hidden className="size-5 shrink-0 text-accent" />
            An ad for {SLOT_HOURS} hours
          </h3>
          <p>
            <b>{dollars(timedAdCents(SLOT_HOURS))}</b> for {SLOT_HOURS} hours in one place of the
            app, for you alone. Up to {BOOKABLE_DAYS} days ahead.
          </p>
          <ul className="flex flex-col gap-3">
            {placement.options.map((value) => (
              <li key={value} className="flex flex-wrap items-center gap-3">
                <PlacementDrawing placement={value} />
                <p className="min-w-0 flex-1 basis-40">
                  <b className="block">{PLACEMENT_NAMES[value]}</b>
                  <span className="text-sm text-soft">{PLACEMENT_HINTS[value]}</span>
                </p>
              </li>
            ))}
          </ul>
          <Example
            title="Puppy class on Saturday"
            text="Six places left. Bring treats, we bring patience."
          />
        </article>
        <article className="flex flex-col gap-2 rounded-card border border-line bg-surface p-4 shadow-lift">
          <h3 className="flex items-center gap-2 font-bold">
            <MapPin aria-hidden className="size-5 shrink-0 text-accent" />
            Your business on the map
          </h3>
          <p>
            <b>{dollars(LISTING_CENTS)}</b> for {LISTING_DAYS} days. Owners within the distance that
            you choose, up to {LISTING_RADIUS_MAX_MILES} miles, see it with your address, phone and
            website.
          </p>
          <Example
            title="The Wet Nose Café"
            text="Dogs eat free with every breakfast. 0.4 miles away."
          />
        </article>
      </section>

      <section
        aria-labelledby="questions"
        className="grid grid-cols-1 items-start gap-x-6 gap-y-1 lg:grid-cols-2"
      >
        <h2 id="questions" className="mb-1 text-xl font-bold lg:col-span-2">
          Questions
        </h2>
        {QUESTIONS.map(([question, answer]) => (
          <details key={question} className="border-b border-line">
            <Summary chevron="end" className="min-h-12! font-bold">
              {question}
            </Summary>
            <p className="pb-3 text-soft">{answer}</p>
          </details>
        ))}
      </section>
    </div>
  );
}

/** The size of the audience in steps; nothing where it isn't known. */
function Audience() {
  const { data } = useQuery(
    {
      queryKey: ['advertiser-audience'],
      queryFn: ({ signal }) => call(getAudience, { signal }),
      staleTime: Infinity,
      retry: false,
    },
    queries,
  );
  if (!data) return null;
  return (
    <p className="flex items-start gap-2">
      <Users aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
      <span>
        {data.members > 0 ? (
          <span>
            At least <b>{data.members.toLocaleString('en-US')} dog owners</b> have joined {PRODUCT}.
          </span>
        ) : (
          <span>
            {PRODUCT} is new: <b>fewer than 100 dog owners</b> have joined so far.
          </span>
        )}{' '}
        <span>
          How many see an ad depends on place and time. We show an estimate before you pay.
        </span>
      </span>
    </p>
  );
}

function Example({ title, text }: { title: string; text: string }) {
  return (
    <figure className="rounded-control border border-dashed border-line-strong p-3">
      <figcaption className="text-sm text-soft">For example</figcaption>
      <p className="font-bold">{title}</p>
      <p>{text}</p>
    </figure>
  );
}
