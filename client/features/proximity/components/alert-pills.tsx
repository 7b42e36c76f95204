import { Bell, BellOff, ChevronDown, ChevronUp } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router-dom';
import { uncapitalized } from '#shared/capitalized.ts';
import { useTopDialog } from '../../../platform/ui/dialogs/top-dialog.ts';
import { asReadFirst } from '../../../platform/ui/feedback/toast-place.ts';
import { useMedia } from '../../../platform/ui/layout/use-media.ts';
import { DogPicture } from '../../card/dog-picture.tsx';
import { AddFriendIcon } from '../../friends/add-friend.tsx';
import { useLookalikes } from '../../friends/lookalike-note.tsx';
import { useUnits } from '../../settings/use-units.ts';
import { distanceWords } from '../alerts/alert-text.ts';
import { PHRASES, PhraseIcon } from '../alerts/phrases.tsx';
import { isVisible, type ShownAlert } from '../alerts/shown-alert.ts';
import { useLastSeen } from '../use-last-seen.ts';
import { useProximity } from '../use-proximity.ts';
import { lookOf } from './alert-look.ts';
import { ShownDistance } from './shown-distance.tsx';
import { useSeenAlerts } from './use-seen-alerts.ts';
import { useSilencing } from './use-silencing.ts';
import { WalkQuestion } from './walk-question.tsx';

const MOST_SHOWN = 2;
/** Two pills would cover the buttons of the walk. */
const LOW = '(max-height: 43rem)';

const ACTION =
  'flex w-16 shrink-0 flex-col items-center justify-center gap-0.5 border-l border-current/30 text-xs font-bold';

const TRENDS = { approaching: 'approaching', leaving: 'leaving', steady: null } as const;

/** Turns the alerts about one person off and on for this walk. */
function SilenceButton({ alert }: { alert: ShownAlert }) {
  const { canSilence, silence, restore } = useSilencing();
  if (!canSilence(alert) || alert.silence === 'friends') return null;
  const isSilenced = alert.silence === 'walk';
  const Icon = isSilenced ? Bell : BellOff;
  return (
    <button
      type="button"
      onClick={() => (isSilenced ? restore(alert) : silence(alert))}
      aria-label={
        isSilenced
          ? `Turn alerts about ${alert.display_name} back on`
          : `Silence ${alert.display_name} for this walk`
      }
      className={ACTION}
    >
      <Icon aria-hidden className="size-5" />
      <span aria-hidden>{isSilenced ? 'Alert me' : 'Silence'}</span>
    </button>
  );
}

/** One alert in a line: which dog, how far, and whether it comes closer. */
function Pill({
  alert,
  isShort,
  onOpen,
}: {
  alert: ShownAlert;
  /** Whether it has two lines at most. */
  isShort: boolean;
  onOpen: (userId: string) => void;
}) {
  const { nearby } = useProximity();
  const lastSeen = useLastSeen(alert);
  // A pill may appear under a finger, too.
  const { takesTaps } = useSeenAlerts([alert.user_id]);
  const { Icon, strong } = lookOf(alert);
  const note = useLookalikes()(alert.user_id, alert.display_name);
  const trend = TRENDS[nearby?.find((user) => user.user_id === alert.user_id)?.trend ?? 'steady'];
  const picture = alert.dogs.find(({ image_key }) => image_key !== null)?.image_key;
  const { theirs } = alert.answers;
  const name = alert.display_name === '' ? 'Nearby' : alert.display_name;
  // Who it is comes first: the end of a long line is cut.
  const details = [
    ...(alert.dogs.length === 0 ? ['Without a dog'] : theirs === null ? [name] : []),
    ...(lastSeen === null ? [] : [uncapitalized(lastSeen)]),
    ...(trend === null || lastSeen !== null ? [] : [trend]),
    ...(alert.silence === null ? [] : ['silenced']),
    ...(alert.notes === '' ? [] : [alert.notes]),
  ];
  const clamp = isShort ? 'line-clamp-1 break-all' : 'line-clamp-2';
  const content = (
    <>
      {theirs === null ? (
        <Icon aria-hidden className="size-7 shrink-0" />
      ) : (
        <PhraseIcon phrase={theirs} className="size-7" />
      )}
      {picture && theirs === null && (
        <DogPicture imageKey={picture} className="size-10 rounded-full" />
      )}
      <span className="min-w-0 flex-1">
        {theirs !== null && (
          <>
            <span className="block text-lg leading-tight font-bold">“{PHRASES[theirs].short}”</span>
            <span
              className={`block truncate text-sm leading-tight font-bold ${isShort ? 'sr-only' : ''}`}
            >
              {name}
            </span>{' '}
          </>
        )}
        <span className={`${clamp} leading-tight ${theirs === null ? 'font-bold' : 'text-sm'}`}>
          {alert.brief} {alert.verdict}
        </span>{' '}
        {details.length > 0 && (
          <span className={`${clamp} text-sm leading-tight ${isShort && theirs ? 'sr-only' : ''}`}>
            {details.join(' · ')}
          </span>
        )}{' '}
        {note !== null && <span className="block truncate text-sm font-bold">{note}</span>}
      </span>{' '}
      <span
        className={`font-bold whitespace-nowrap tabular-nums ${lastSeen === null ? 'text-xl' : ''}`}
      >
        <ShownDistance feet={alert.distance_feet} isOld={lastSeen !== null} />
      </span>
    </>
  );
  const line = 'flex min-h-14 min-w-0 flex-1 items-center gap-2.5 px-3 py-1.5 text-left';
  const canOpen = alert.silence === null && alert.announcedFeet !== null && alert.dogs.length > 0;
  return (
    <li
      className={`${takesTaps ? 'pointer-events-auto' : 'pointer-events-none'} shrink-0 overflow-hidden rounded-card shadow-lift ${strong}`}
    >
      <div className="flex items-stretch">
        {canOpen ? (
          <button type="button" onClick={() => onOpen(alert.user_id)} className={line}>
            {content}
            <span className="sr-only">, show the warning</span>
          </button>
        ) : (
          <p className={line}>{content}</p>
        )}
        {/* The warning that opens has it, in words. */}
        {alert.display_name !== '' && !canOpen && (
          <AddFriendIcon userId={alert.user_id} name={alert.display_name} className={ACTION} />
        )}
        <SilenceButton alert={alert} />
      </div>
      {alert.isAsking && <WalkQuestion alert={alert} />}
    </li>
  );
}

/** The first of several pills in a row that opens them all. */
function FoldedPills({
  first,
  more,
  ref,
  onOpen,
}: {
  first: ShownAlert;
  more: number;
  ref: RefObject<HTMLButtonElement | null>;
  onOpen: () => void;
}) {
  const lastSeen = useLastSeen(first);
  const { takesTaps } = useSeenAlerts([first.user_id]);
  const { Icon, strong } = lookOf(first);
  const { theirs } = first.answers;
  return (
    <button
      ref={ref}
      type="button"
      aria-expanded={false}
      onClick={onOpen}
      className={`${takesTaps ? 'pointer-events-auto' : 'pointer-events-none'} flex min-h-14 items-center gap-2.5 rounded-card px-3 py-1.5 text-left leading-tight font-bold shadow-lift ${strong}`}
    >
      {theirs === null ? (
        <Icon aria-hidden className="size-7 shrink-0" />
      ) : (
        <PhraseIcon phrase={theirs} className="size-7" />
      )}
      <span className="min-w-0 flex-1">
        <span className="line-clamp-1 break-all">
          {theirs === null
            ? `${first.brief} ${first.verdict}`
            : `“${PHRASES[theirs].short}” ${first.brief}`}
        </span>{' '}
        <span className="block text-sm">and {more} more</span>
      </span>{' '}
      <span className="text-xl whitespace-nowrap tabular-nums">
        <ShownDistance feet={first.distance_feet} isOld={lastSeen !== null} />
      </span>
      <ChevronUp aria-hidden className="size-5 shrink-0" />
    </button>
  );
}

const PLACES = {
  screen:
    'fixed inset-x-2 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-35 group-has-data-fills-window/frame:static group-has-data-fills-window/frame:mx-2 group-has-data-fills-window/frame:mt-2 sm:inset-x-auto sm:right-6 sm:w-full sm:max-w-md md:bottom-6 sm:group-has-data-fills-window/frame:ml-auto',
  // The buttons of a dialog are at its bottom.
  dialog:
    'fixed inset-x-2 top-[max(0.25rem,env(safe-area-inset-top))] z-60 sm:inset-x-auto sm:right-6 sm:w-full sm:max-w-md xl:max-w-84',
};

/**
 * The alerts that the owner has acknowledged, as long as the dogs are near: like the bar of a navigation app. Those who come closer
 * are announced to screen readers, once at half the distance.
 */
export function AlertPills({ onOpen }: { onOpen: (userId: string) => void }) {
  const { alerts } = useProximity();
  const dialog = useTopDialog();
  const units = useUnits();
  const [isLong, setIsLong] = useState(false);
  const pills = alerts
    .filter((alert) => alert.isFolded && isVisible(alert))
    .toSorted((a, b) => Number(a.silence !== null) - Number(b.silence !== null));
  const isLow = useMedia(LOW);
  const isWide = useMedia('(min-width: 48rem)');
  const toggle = useRef<HTMLButtonElement>(null);
  // At the top of a dialog, they would cover its title.
  const isTight = isLow || dialog !== null;
  // The home screen lists them all, and more of them would cover that list.
  const isListed = useLocation().pathname === '/home' && !isWide;
  const most = isTight || isListed ? 1 : MOST_SHOWN;
  const unseen = pills.length - most;
  const [first] = pills;
  if (!first) return null;
  const unfold = (next: boolean) => {
    flushSync(() => setIsLong(next));
    // The button that was pressed may be another one now.
    toggle.current?.focus({ preventScroll: true });
  };
  const isRow = most === 1 && unseen > 0 && !isLong;
  const Chevron = isLong ? ChevronDown : ChevronUp;
  return (
    <section
      ref={asReadFirst}
      aria-label="Dogs around you"
      data-pill=""
      onPointerDown={(event) => event.stopPropagation()}
      className={`pointer-events-none flex flex-col gap-2 ${dialog ? PLACES.dialog : PLACES.screen}`}
    >
      <p aria-live="polite" className="sr-only">
        {pills
          .filter(({ silence }) => silence === null)
          .map(
            ({ names, verdict, announcedFeet, distance_feet }) =>
              `${names} ${verdict}, ${distanceWords(announcedFeet ?? distance_feet, units)}.`,
          )
          .join(' ')}
      </p>
      {isRow && (
        <FoldedPills first={first} more={unseen} ref={toggle} onOpen={() => unfold(true)} />
      )}
      <ul
        hidden={isRow}
        className={`flex flex-col gap-2 ${isLong ? 'pointer-events-auto max-h-[50dvh] overflow-y-auto overscroll-contain rounded-card' : ''}`}
      >
        {pills.slice(0, isLong ? undefined : most).map((alert) => (
          <Pill key={alert.user_id} alert={alert} isShort={isTight} onOpen={onOpen} />
        ))}
      </ul>
      {unseen > 0 && !isRow && (
        <button
          ref={toggle}
          type="button"
          aria-expanded={isLong}
          onClick={() => unfold(!isLong)}
          className="pointer-events-auto flex min-h-11 items-center gap-1.5 self-center rounded-full border border-line-strong bg-surface px-4 font-bold shadow-lift"
        >
          <Chevron aria-hidden className="size-5" />
          {isLong ? 'Show fewer' : `and ${unseen} more`}
        </button>
      )}
    </section>
  );
}
