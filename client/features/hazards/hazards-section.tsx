import { ChevronDown, Clock, Phone, ThumbsDown, ThumbsUp, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { listHazards } from '#shared/hazards/contract.ts';
import { HAZARD_NAMES } from '#shared/hazards/rules.ts';
import { metersBetween, type Place } from '#shared/place.ts';
import { ageWords } from '../../platform/duration-words.ts';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import type { CallInput, CallName } from '../../platform/sync/outbox/outbox-calls.ts';
import { sendSoon, type Answered } from '../../platform/sync/outbox/send-soon.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { ConfirmDialog } from '../../platform/ui/dialogs/confirm-dialog.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { useNow } from '../../platform/use-now.ts';
import { useUnits } from '../settings/use-units.ts';
import { hazardAge } from './hazard-age.ts';
import { HAZARD_ICONS } from './hazard-kinds.ts';
import { OLD_MS, type ShownHazard, type useHazards } from './use-hazards.ts';

/** The nearest ones. */
const SHOWN_AT_FIRST = 3;

type Found = ReturnType<typeof useHazards>;

/** Says what is known: that there are no hazards only if the server said so, and when, unless that was just now. */
function answerWords({ hazards, error, answeredAt, isPaused }: Found, now: number): string {
  if (answeredAt === null) {
    if (isPaused) return 'We can’t check for hazards while you’re offline.';
    // The banner says it.
    return error ? '' : 'Checking for hazards…';
  }
  const isOld = now - answeredAt > OLD_MS;
  if (hazards.length > 0) return isOld ? `As of ${ageWords(now - answeredAt)}` : '';
  return `No one has reported a hazard within 5 miles${isOld ? `, as of ${ageWords(now - answeredAt)}` : ''}.`;
}

/**
 * Hazards and lost dogs nearby, which members report, confirm and deny. While folded, it says which is the nearest, and leaves the room
 * to the places below it.
 */
export function HazardsSection({
  found,
  around,
  chosen,
  isOpen,
  onToggle,
  onReport,
}: {
  found: Found;
  /** From where distances are measured. */
  around: Place | null;
  chosen: string | null;
  isOpen: boolean;
  onToggle: () => void;
  onReport: () => void;
}) {
  const { hazards, error } = found;
  const units = useUnits();
  const now = useNow();
  const listId = useId();
  const [hasAll, setHasAll] = useState(false);
  const isAll = hasAll || hazards.some(({ id }, index) => id === chosen && index >= SHOWN_AT_FIRST);
  const shown = isAll ? hazards : hazards.slice(0, SHOWN_AT_FIRST);
  const [nearest] = hazards;
  const isFolded = nearest !== undefined && !isOpen;
  const title = <span id="hazards">Hazards and lost dogs</span>;
  return (
    <section
      aria-labelledby="hazards"
      className={`flex flex-col gap-3 rounded-card border border-line bg-surface px-4 shadow-lift ${isFolded ? 'py-2' : 'py-4'}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        {nearest ? (
          <h2 className="min-w-0 flex-1 basis-60">
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={listId}
              onClick={onToggle}
              className="flex min-h-11 w-full items-center gap-3 text-left"
            >
              <TriangleAlert aria-hidden className="size-5 shrink-0 text-poor" />
              <span className="min-w-0 flex-1">
                <span className="block font-bold">{title}</span>
                {isFolded && (
                  <span className="block text-sm font-normal text-soft">
                    <span>{HAZARD_NAMES[nearest.kind]}</span>
                    {around && <span>{`, ${units.walked(metersBetween(around, nearest))}`}</span>}
                    {hazards.length > 1 && <span>{` · ${hazards.length - 1} more`}</span>}
                  </span>
                )}
              </span>
              <ChevronDown
                aria-hidden
                className={`size-5 shrink-0 transition-transform ${isOpen ? 'rotate-180' : ''}`}
              />
            </button>
          </h2>
        ) : (
          <h2 className="text-lg font-bold">{title}</h2>
        )}
        <Button
          look="secondary"
          Icon={TriangleAlert}
          onClick={onReport}
          className={isFolded ? 'max-md:hidden' : ''}
        >
          Report a hazard
        </Button>
      </div>
      {error && <ErrorBanner>{listHazards.failure}</ErrorBanner>}
      <p role="status" className="text-sm text-soft empty:hidden">
        {around ? answerWords(found, now) : 'Search to see what was reported.'}
      </p>
      {nearest && (
        <ul id={listId} hidden={isFolded} className="divide-y divide-line">
          {shown.map((hazard) => (
            <HazardItem
              key={hazard.id}
              hazard={hazard}
              around={around}
              isChosen={hazard.id === chosen}
            />
          ))}
        </ul>
      )}
      {!isFolded && shown.length < hazards.length && (
        <Button look="quiet" className="-ml-2 self-start px-2!" onClick={() => setHasAll(true)}>
          Show all {hazards.length}
        </Button>
      )}
    </section>
  );
}

/** Whether a text is a phone number that can be called. */
const isPhone = (text: string): boolean => /^\+?[\d\s().-]{6,}$/.test(text);

/** How to reach whoever looks for a lost dog. */
function Contact({ text }: { text: string }) {
  if (!isPhone(text)) return <p className="font-bold break-words">Contact: {text}</p>;
  return (
    <a
      href={`tel:${text.replace(/[^\d+]/g, '')}`}
      className="inline-flex min-h-11 items-center gap-2 font-bold text-accent underline"
    >
      <Phone aria-hidden className="size-5 shrink-0" />
      <span>I’ve seen it: call {text}</span>
    </a>
  );
}

function HazardItem({
  hazard,
  around,
  isChosen,
}: {
  hazard: ShownHazard;
  around: Place | null;
  isChosen: boolean;
}) {
  const units = useUnits();
  const now = useNow();
  const documents = useDocuments();
  const [asks, setAsks] = useState<'remove' | 'report' | null>(null);
  const name = HAZARD_NAMES[hazard.kind];
  const Icon = HAZARD_ICONS[hazard.kind];
  const { id, own_vote } = hazard;

  function send<N extends CallName>(
    call: N,
    input: CallInput<N>,
    onAnswered: (answered: Answered) => void = () => {},
  ) {
    if (!documents) return;
    sendSoon(documents, call, input, name).then(onAnswered, (error: unknown) => {
      console.error('Failed to store the call', error);
      toast.error('We couldn’t save that. Try again.');
    });
  }
  const vote = (is_there: boolean) => send('hazards.vote', { params: { id }, body: { is_there } });

  return (
    <li
      id={`hazard-${id}`}
      className={`flex flex-col gap-2 py-3 ${isChosen ? '-mx-2 rounded-control bg-accent-soft px-2' : ''}`}
    >
      <div className="flex items-start gap-3">
        <Icon aria-hidden className="mt-1 size-5 shrink-0 text-poor" />
        <div className="min-w-0 flex-1">
          <h3 className="font-bold">
            <span>{name}</span>
            {hazard.dog_name !== null && <span>{`: ${hazard.dog_name}`}</span>}
          </h3>
          <p className="text-sm text-soft">
            {around && <span>{`${units.walked(metersBetween(around, hazard))} · `}</span>}
            <span>{hazardAge(hazard, now)}</span>
            {hazard.confirmed_count > 0 && (
              <span>{` · confirmed by ${hazard.confirmed_count}`}</span>
            )}
            {hazard.denied_count > 0 && <span>{` · denied by ${hazard.denied_count}`}</span>}
          </p>
          {hazard.description && <p className="break-words">{hazard.description}</p>}
          {hazard.contact !== null && <Contact text={hazard.contact} />}
          {hazard.image_key !== null && (
            <img
              src={`/api/files/${hazard.image_key}`}
              alt={hazard.dog_name ?? name}
              loading="lazy"
              className="mt-2 max-h-56 rounded-control object-cover"
            />
          )}
          {hazard.isWaiting && (
            <p className="flex items-center gap-1.5 text-sm font-bold">
              <Clock aria-hidden className="size-4" /> Not sent yet
            </p>
          )}
        </div>
      </div>
      {!hazard.isWaiting && (
        <div className="flex flex-wrap gap-2 max-sm:[&_svg]:hidden">
          {hazard.is_own ? (
            <Button
              look="danger-outline"
              onClick={() => setAsks('remove')}
              aria-label={`Remove: ${name}`}
            >
              Remove
            </Button>
          ) : (
            <>
              <Button
                look="secondary"
                Icon={ThumbsUp}
                aria-pressed={own_vote === 'confirmed'}
                aria-label={`Still there: ${name}`}
                className="px-4! aria-pressed:border-2 aria-pressed:border-accent"
                onClick={() => vote(true)}
              >
                Still there
              </Button>
              <Button
                look="secondary"
                Icon={ThumbsDown}
                aria-pressed={own_vote === 'denied'}
                aria-label={`Not there: ${name}`}
                className="px-4! aria-pressed:border-2 aria-pressed:border-accent"
                onClick={() => vote(false)}
              >
                Not there
              </Button>
              <Button
                look="quiet"
                className="px-2!"
                aria-label={`Report: ${name}`}
                onClick={() => setAsks('report')}
              >
                Report
              </Button>
            </>
          )}
        </div>
      )}
      {own_vote !== null && (
        <p className="text-sm text-soft">Votes count from people who are walking nearby.</p>
      )}
      <ConfirmDialog
        open={asks === 'remove'}
        title="Remove this hazard?"
        description="People nearby won’t see it anymore."
        yes="Remove"
        onYes={() => send('hazards.remove', { params: { id } })}
        onClose={() => setAsks(null)}
      />
      <ConfirmDialog
        isHarmless
        open={asks === 'report'}
        title="Report this hazard?"
        description="Report it if its text or photo is offensive, or the hazard is made up."
        yes="Report"
        onYes={() => {
          send('hazards.report', { params: { id } }, (answered) => {
            if (answered === 'done') toast('Thank you. It’s hidden if others report it, too.');
            if (answered === 'waiting')
              toast('Thank you. We’ll send your report as soon as we can.');
          });
        }}
        onClose={() => setAsks(null)}
      />
    </li>
  );
}
