import {
  CalendarX,
  CircleHelp,
  Clock,
  Flag,
  MapPin,
  MessageSquare,
  ThumbsDown,
  ThumbsUp,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { toast } from 'sonner';
import { formatTime, formatWeekdayDate } from '#shared/dates.ts';
import { isImportedPlace } from '#shared/locations/rules.ts';
import type { WalkAnswer } from '#shared/planned-walks/contract.ts';
import { PLATFORM } from '../../platform/install/install-event.ts';
import { Button, ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { IconButton } from '../../platform/ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '../../platform/ui/dialogs/confirm-dialog.tsx';
import { ProfileLink } from '../card/profile-link.tsx';
import { chatPath } from '../friends/chat-path.ts';
import { LookalikeNote } from '../friends/lookalike-note.tsx';
import { PersonDogBadges, PersonPhoto } from '../friends/person-photo.tsx';
import { useContacts } from '../friends/use-contacts.ts';
import { OsmAttribution } from '../geocoder/osm-attribution.tsx';
import { mapsLink } from '../locations/place/maps-link.ts';
import type { ShownPlannedWalk } from './optimistic-planned-walks.ts';
import { usePlannedWalkActions } from './use-planned-walks.ts';

const ANSWERS: { answer: WalkAnswer; name: string; Icon: LucideIcon }[] = [
  { answer: 'yes', name: 'Yes', Icon: ThumbsUp },
  { answer: 'maybe', name: 'Maybe', Icon: CircleHelp },
  { answer: 'no', name: 'No', Icon: ThumbsDown },
];

const ANSWER_TEXTS: Record<WalkAnswer | 'none', string> = {
  yes: 'Coming',
  maybe: 'Maybe',
  no: 'Can’t come',
  none: 'No answer yet',
};

/** One planned walk: when, where and who comes, with the buttons of its organizer or of an invited friend. */
export function PlannedWalkItem({
  walk,
  isAhead,
  isChosen,
  onEdit,
  onReport,
}: {
  walk: ShownPlannedWalk;
  isAhead: boolean;
  isChosen: boolean;
  onEdit: () => void;
  onReport: () => void;
}) {
  const actions = usePlannedWalkActions();
  const [isAsking, setAsking] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: 'center' });
  }, [isChosen]);
  const { id, starts_at, place_name, note, organizer, is_own, is_canceled, own_answer } = walk;
  const when = `${formatWeekdayDate(starts_at)}, ${formatTime(starts_at)}`;
  const isOpen = isAhead && !is_canceled;

  function store(work: Promise<void>) {
    work.catch((error: unknown) => {
      console.error('Failed to store the call', error);
      toast.error('We couldn’t save that. Try again.');
    });
  }

  return (
    <li
      ref={item}
      aria-labelledby={`walk-${id}`}
      className={`flex flex-col gap-3 ${isChosen ? '-mx-2 rounded-control bg-sunken px-2 py-3' : 'py-4 first:pt-1 last:pb-1'}`}
    >
      <div className="relative pr-12">
        <h3 id={`walk-${id}`} className="text-lg font-bold">
          <time dateTime={starts_at} className={is_canceled ? 'line-through' : ''}>
            {when}
          </time>
        </h3>
        <p className="text-sm text-soft">
          {!is_own && (
            <span>
              <ProfileLink
                userId={organizer.user_id}
                className="-my-2.5 inline-flex min-h-11 min-w-6 items-center underline underline-offset-4"
              >
                {organizer.name}
              </ProfileLink>{' '}
              invited you
            </span>
          )}
          {is_own &&
            (isOpen ? <span>You’re planning this walk</span> : <span>You planned this walk</span>)}
        </p>
        {!is_own && <LookalikeNote userId={organizer.user_id} name={organizer.name} />}
        {is_canceled && (
          <p className="mt-1 flex items-center gap-1.5 font-bold text-poor">
            <CalendarX aria-hidden className="size-5 shrink-0" /> Canceled
          </p>
        )}
        {walk.isWaiting && (
          <p className="mt-1 flex items-center gap-1.5 text-sm font-bold">
            <Clock aria-hidden className="size-4 shrink-0" /> Not sent yet
          </p>
        )}
        {!is_own && (
          <IconButton
            Icon={Flag}
            label={`Report the walk: ${place_name}, ${when}`}
            className="absolute top-0 right-0"
            onClick={onReport}
          />
        )}
      </div>
      <PlaceLine walk={walk} />
      {note && <p className="break-words whitespace-pre-line">{note}</p>}
      <Participants walk={walk} isOpen={isOpen} />
      {isOpen && !is_own && (
        <div
          role="group"
          aria-label={`Are you coming? ${when}`}
          className="flex max-w-md flex-wrap gap-2"
        >
          {ANSWERS.map(({ answer, name, Icon }) => (
            <Button
              key={answer}
              look="secondary"
              icon={<Icon aria-hidden className="size-5 shrink-0 max-sm:hidden" />}
              aria-pressed={own_answer === answer}
              className="flex-1 basis-20 aria-pressed:border-2 aria-pressed:border-accent aria-pressed:bg-accent-soft"
              onClick={() => store(actions.answer(walk, answer))}
            >
              {name}
            </Button>
          ))}
        </div>
      )}
      {isOpen && !is_own && (
        <ButtonLink
          look="quiet"
          to={chatPath(organizer.user_id)}
          Icon={MessageSquare}
          className="-ml-2 self-start px-2!"
        >
          {`Message ${organizer.name}`}
        </ButtonLink>
      )}
      {isOpen && is_own && (
        <div className="flex flex-wrap gap-2">
          <Button
            look="secondary"
            onClick={onEdit}
            aria-label={`Edit walk: ${place_name}, ${when}`}
          >
            Edit
          </Button>
          <Button
            look="danger-outline"
            onClick={() => setAsking(true)}
            aria-label={`Cancel walk: ${place_name}, ${when}`}
          >
            Cancel walk
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={isAsking}
        title="Cancel this walk?"
        description="Everyone you invited is notified."
        yes="Cancel walk"
        no="Keep it"
        onYes={() => store(actions.cancel(walk))}
        onClose={() => setAsking(false)}
      />
    </li>
  );
}

const link =
  'inline-flex min-h-11 min-w-0 items-center gap-2 rounded-control font-bold text-accent underline underline-offset-4';

/** The place: a link to it if it is a known one, or to the pin in a map app. */
function PlaceLine({
  walk: { place_name, location_id, latitude, longitude },
}: {
  walk: ShownPlannedWalk;
}) {
  const icon = <MapPin aria-hidden className="size-5 shrink-0" />;
  const name = <span className="min-w-0 break-words">{place_name}</span>;
  if (location_id)
    return (
      <div className="flex flex-col">
        <Link to={`/locations?place=${encodeURIComponent(location_id)}`} className={link}>
          {icon}
          {name}
        </Link>
        {isImportedPlace(location_id) && <OsmAttribution />}
      </div>
    );
  if (latitude === null || longitude === null)
    return (
      <p className="flex items-center gap-2 font-bold">
        {icon}
        {name}
      </p>
    );
  return (
    <div>
      <a
        href={mapsLink({ latitude, longitude, name: place_name }, PLATFORM)}
        {...(PLATFORM === 'desktop' && { target: '_blank', rel: 'noopener noreferrer' })}
        className={link}
      >
        {icon}
        {name}
        <span className="sr-only">
          <span>: open in Maps</span>
          {PLATFORM === 'desktop' && <span>, opens in a new tab</span>}
        </span>
      </a>
    </div>
  );
}

function Participants({
  walk: { organizer, participants, others, is_own },
  isOpen,
}: {
  walk: ShownPlannedWalk;
  /** Whether it can still be answered. */
  isOpen: boolean;
}) {
  const { contacts } = useContacts();
  if (participants.length === 0 && others.count === 0)
    if (is_own) return <p className="text-sm text-soft">No one is invited any more.</p>;
  const rows = participants.map((invited) => ({
    ...invited,
    words:
      invited.answer === null && !isOpen ? 'No answer' : ANSWER_TEXTS[invited.answer ?? 'none'],
  }));
  if (!is_own) rows.unshift({ ...organizer, answer: 'yes', words: 'Organizer' });
  return (
    <ul aria-label="Who comes" className="flex flex-col gap-2">
      {rows.map(({ user_id, name, answer, words }) => {
        const person = contacts.friends.find((friend) => friend.user_id === user_id);
        return (
          <li key={user_id} className="flex items-start gap-3">
            <PersonPhoto person={person} name={name} className="size-9 text-base" />
            <div className="min-w-0 break-words">
              <p>{name}</p>
              <LookalikeNote userId={user_id} name={name} />
              <p className="text-sm text-soft">{words}</p>
              {answer !== 'no' && <PersonDogBadges person={person} />}
            </div>
          </li>
        );
      })}
      {others.count > 0 && (
        <li className="text-sm text-soft">
          <span>
            {others.count === 1
              ? '1 other person is invited'
              : `${others.count} other people are invited`}
          </span>
          {others.coming > 0 && <span>{`, ${others.coming} coming`}</span>}
        </li>
      )}
    </ul>
  );
}
