import {
  CalendarClock,
  ChartColumn,
  CircleCheck,
  ClipboardCheck,
  Mail,
  Timer,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { LISTING_DAYS, SLOT_HOURS } from '#shared/advertisers/rules.ts';
import { formatDateTimeInZone, formatHours } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';
import { Button, ButtonLink } from '../../../platform/ui/buttons/button.tsx';
import { storeDraft, type Draft } from './draft.ts';

/** The last step: confirms the payment and lists what happens next. */
export function DoneStep({ draft: { ad, company }, onNext }: { draft: Draft; onNext: () => void }) {
  const navigate = useNavigate();
  const isReviewedFirst = ad?.review === 'before';
  const start = ad?.start ? new Date(ad.start) : null;
  const goLive = { Icon: CalendarClock, text: goLiveText(start, isReviewedFirst) };
  const review = {
    Icon: ClipboardCheck,
    text: isReviewedFirst
      ? 'We’ll review your ad before it goes live.'
      : 'We review every ad, some after they go live. If we reject yours, it stops and you get a refund.',
  };
  const next: { Icon: LucideIcon; text: ReactNode }[] = [
    {
      Icon: Mail,
      text: `A confirmation email is on its way to ${company.email}.`,
    },
    ...(isReviewedFirst ? [review, goLive] : [goLive, review]),
    {
      Icon: Timer,
      text: start
        ? `It runs for ${formatHours(SLOT_HOURS)}.`
        : `It’s active for ${LISTING_DAYS} days${isReviewedFirst ? ' from then on' : ''}.`,
    },
    {
      Icon: ChartColumn,
      text: (
        <>
          Track its performance in your{' '}
          <Link to="/advertiser" className="font-bold text-accent underline">
            advertiser dashboard
          </Link>
          , where your receipt is, too. The link in your email works on every device.
        </>
      ),
    },
  ];
  return (
    <div className="flex flex-col gap-6">
      <p role="status" className="flex items-center gap-2.5 rounded-control bg-accent-soft p-4">
        <CircleCheck aria-hidden className="size-6 shrink-0 text-accent" />
        <span>
          Thank you! <strong>{ad?.title}</strong> is paid: {dollars(ad?.cost_cents ?? 0)}.{' '}
          {stateText(start, isReviewedFirst)}
        </span>
      </p>
      <section aria-labelledby="next-steps">
        <h2 id="next-steps" className="mb-3 text-lg font-bold">
          Next steps
        </h2>
        <ol className="flex flex-col gap-3">
          {next.map(({ Icon, text }) => (
            <li key={Icon.displayName} className="flex gap-3">
              <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
              <span>{text}</span>
            </li>
          ))}
        </ol>
      </section>
      <div className="flex flex-col gap-3">
        <ButtonLink to="/advertiser" wide>
          See your ad
        </ButtonLink>
        <Button look="secondary" wide onClick={onNext}>
          Advertise something else
        </Button>
        <Button
          look="quiet"
          wide
          onClick={() => {
            // Removed only from storage, so that this screen doesn't render again before it closes.
            storeDraft(null);
            void navigate('/');
          }}
        >
          Return to Main App
        </Button>
      </div>
    </div>
  );
}

/** What the ad does now, because the title says “Scheduled” for every ad. */
function stateText(start: Date | null, isReviewedFirst: boolean): string {
  if (isReviewedFirst) return 'It’s waiting for our review.';
  return start && start.getTime() > Date.now() ? 'It’s scheduled.' : 'It’s live now.';
}

function goLiveText(start: Date | null, isReviewedFirst: boolean): string {
  if (!start)
    return isReviewedFirst
      ? 'Your business goes live as soon as we approve it.'
      : 'Your business is live now, and owners nearby can see it.';
  return `Your ad goes live on ${formatDateTimeInZone(start)}${isReviewedFirst ? ', once we approve it' : ''}.`;
}
