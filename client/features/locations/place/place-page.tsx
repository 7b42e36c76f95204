import {
  ArrowLeft,
  CalendarPlus,
  Check,
  Flag,
  Footprints,
  MapPinned,
  MessageSquarePlus,
  Pencil,
  Share2,
  Star,
  Trash2,
} from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { toast } from 'sonner';
import { deleteLocationPhoto } from '#shared/locations/photo-contract.ts';
import { TIPS_SHOWN } from '#shared/locations/rules.ts';
import type { LocationTip, ReadLocation } from '#shared/locations/schemas.ts';
import { rateLocation, withdrawRating } from '#shared/locations/visit-contract.ts';
import type { Place } from '#shared/place.ts';
import { planWalkAt } from '#shared/planned-walks/rules.ts';
import { useUser } from '../../../platform/session/use-auth.tsx';
import type { WaitingCall } from '../../../platform/sync/outbox/outbox.ts';
import { Button, ButtonLink } from '../../../platform/ui/buttons/button.tsx';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';
import { share } from '../../../platform/ui/buttons/share.ts';
import { ConfirmDialog } from '../../../platform/ui/dialogs/confirm-dialog.tsx';
import { showFromTop } from '../../../platform/ui/navigation/show-from-top.ts';
import { OsmAttribution } from '../../geocoder/osm-attribution.tsx';
import {
  photosWithWaiting,
  ratingWithWaiting,
  tipsWithWaiting,
  type ShownPlace,
} from '../optimistic-places.ts';
import { DirectionsLink } from '../search/directions-link.tsx';
import { OPENED, type Address } from '../search/use-location-params.ts';
import { usePlace } from '../search/use-places.ts';
import { NEW_PLACE, PlaceCounts, PlaceFacts, PlaceFeatures, PlaceStates } from './place-facts.tsx';
import { PlacePhotos } from './place-photos.tsx';
import { TipItem } from './tip-item.tsx';
import { usePlaceActions } from './use-place-actions.ts';

/** A main action: its icon above its words. */
const MAIN = 'flex-col gap-1! px-1! py-2! text-sm leading-tight';

/** Opens the device's share sheet with a link to a place; copies the link where there is none. */
async function sharePlace({ id, name }: ShownPlace): Promise<void> {
  const url = `${location.origin}/locations?place=${encodeURIComponent(id)}`;
  if (share) return share(url, { title: name });
  try {
    await navigator.clipboard.writeText(url);
    toast.success('Link copied');
  } catch {
    toast.error('Your browser won’t let us copy the link.');
  }
}

const log = (failure: string) => (error: unknown) => console.error(failure, error);

/**
 * A place: its photos and what one can do there, then facts, the user's own rating and tips. On a phone it is the whole screen; beside
 * the map of a wide screen it stands in for the list.
 */
export function PlacePage({
  shown,
  here,
  waiting,
  address,
  isVisited,
  isWhole,
  onVisit,
  onMap,
  onClose,
}: {
  shown: ShownPlace;
  here: Place | null;
  waiting: readonly WaitingCall[];
  address: Address;
  /** Whether the user was there today. */
  isVisited: boolean;
  /** Whether it is the whole screen. */
  isWhole: boolean;
  /** Records a visit, or takes today's back. */
  onVisit: () => void;
  /** Shows it on the map, if that isn't beside it. */
  onMap: (() => void) | null;
  onClose: () => void;
}) {
  const user = useUser();
  const { place } = usePlace(shown.id);
  const actions = usePlaceActions();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => showFromTop(heading.current), []);
  const userId = user?.id ?? '';
  const rating = ratingWithWaiting(place?.own_rating ?? null, waiting, shown.id);
  const Title = isWhole ? 'h1' : 'h2';

  return (
    <article
      aria-label={shown.name}
      className={`flex min-w-0 flex-col gap-4 ${isWhole ? 'w-full max-w-2xl' : 'rounded-card border border-line bg-surface p-4 shadow-lift'}`}
    >
      <div className="flex items-start gap-1">
        <IconButton
          Icon={ArrowLeft}
          label="Back to all places"
          onClick={onClose}
          className="-ml-2.5"
        />
        <div className="min-w-0 flex-1 pt-1.5">
          <Title
            ref={heading}
            tabIndex={-1}
            className="text-2xl leading-tight font-bold tracking-tight break-words"
          >
            {shown.name}
          </Title>
          <PlaceFacts place={shown} here={here} />
        </div>
      </div>
      {!shown.isNew && (
        <PlacePhotos
          place={shown}
          photos={photosWithWaiting(place?.photos ?? [], waiting)}
          userId={userId}
          onRemove={(photo) =>
            void actions.removePhoto(shown, photo).catch(log(deleteLocationPhoto.failure))
          }
        />
      )}
      {shown.isNew ? (
        <p className="text-sm text-soft">{NEW_PLACE}</p>
      ) : (
        <MainActions shown={shown} isVisited={isVisited} onVisit={onVisit} />
      )}
      <PlaceStates place={shown} />
      {shown.description && <p className="break-words whitespace-pre-line">{shown.description}</p>}
      {(shown.address || shown.opening_hours || onMap) && (
        <div className="flex flex-col text-sm">
          {shown.address && <p className="break-words">{shown.address}</p>}
          {shown.opening_hours && <p className="break-words">Hours: {shown.opening_hours}</p>}
          {onMap && (
            <SmallButton
              label={`Show ${shown.name} on the map`}
              words="Show on the map"
              Icon={MapPinned}
              onClick={onMap}
            />
          )}
        </div>
      )}
      <PlaceFeatures place={shown} />
      <PlaceCounts place={shown} />
      {!shown.isNew && (
        <Stars
          legend={isVisited ? 'How was it?' : 'Your rating'}
          value={rating}
          onPick={(stars) => void actions.rate(shown, stars).catch(log(rateLocation.failure))}
          onRemove={() => void actions.withdrawRating(shown).catch(log(withdrawRating.failure))}
        />
      )}
      <Tips shown={shown} place={place} waiting={waiting} address={address} />
      <OtherActions shown={shown} place={place} address={address} onRemoved={onClose} />
      {shown.osm_id !== null && (
        <p className="text-xs text-soft">
          From <OsmAttribution id={shown.osm_id} />
          <span>. Corrections that members make stay beside it.</span>
        </p>
      )}
    </article>
  );
}

/** What one comes for. */
function MainActions({
  shown,
  isVisited,
  onVisit,
}: {
  shown: ShownPlace;
  isVisited: boolean;
  onVisit: () => void;
}) {
  return (
    <div className="grid auto-cols-fr grid-flow-col gap-2">
      <DirectionsLink
        to={shown}
        className={`${MAIN} border-0! bg-accent px-1 text-on-accent hover:bg-accent-hover!`}
      />
      {shown.is_public && (
        <>
          <ButtonLink look="tile" to={planWalkAt(shown.id)} Icon={CalendarPlus} className={MAIN}>
            Plan a walk here
          </ButtonLink>
          <Button
            look="tile"
            aria-label={`Share ${shown.name}`}
            Icon={Share2}
            onClick={() => void sharePlace(shown)}
            className={MAIN}
          >
            Share
          </Button>
        </>
      )}
      <Button
        look="tile"
        aria-label={isVisited ? `Visited ${shown.name} today, undo` : `Visit ${shown.name}`}
        aria-pressed={isVisited}
        Icon={isVisited ? Check : Footprints}
        onClick={onVisit}
        className={MAIN}
      >
        {isVisited ? 'Visited' : 'Visit'}
      </Button>
    </div>
  );
}

interface Shown {
  shown: ShownPlace;
  /** With all its tips; null until it is loaded. */
  place: ReadLocation | null;
  address: Address;
}

function Tips({ shown, place, waiting, address }: Shown & { waiting: readonly WaitingCall[] }) {
  const userId = useUser()?.id ?? '';
  const actions = usePlaceActions();
  const [showsAll, setShowsAll] = useState(false);
  const [removing, setRemoving] = useState<LocationTip | null>(null);
  const tips = tipsWithWaiting(place?.tips ?? shown.tips, waiting, { placeId: shown.id, userId });
  const count = place ? tips.length : Math.max(shown.tip_count, tips.length);
  const shownTips = showsAll ? tips : tips.slice(0, TIPS_SHOWN);
  const more = count - shownTips.length;
  return (
    <section aria-label={`Tips for ${shown.name}`} className="border-t border-line pt-3">
      <div className="mb-2 flex min-h-11 items-center justify-between gap-3">
        <h2 className="text-lg font-bold">Tips</h2>
        {!shown.isNew && (
          <Button
            look="secondary"
            aria-label={`Add Tip for ${shown.name}`}
            Icon={MessageSquarePlus}
            className="min-h-11! px-3! py-1.5!"
            onClick={() => address.open(OPENED.addTip, shown.id)}
          >
            Add Tip
          </Button>
        )}
      </div>
      {count === 0 && <p className="text-soft">No tips yet. Share what you know.</p>}
      <ul className="divide-y divide-line">
        {shownTips.map((tip) => (
          <TipItem
            key={tip.id}
            tip={tip}
            isOwn={tip.creator_user_id === userId}
            actions={{
              onVote: (of, isHelpful) =>
                void actions.vote(of, isHelpful).catch(log('Failed to save your vote')),
              onEdit: ({ id }) => address.open(OPENED.editTip, shown.id, id),
              onRemove: setRemoving,
              onReport: ({ id }) => address.open(OPENED.report, shown.id, id),
            }}
          />
        ))}
      </ul>
      {more > 0 &&
        (tips.length > shownTips.length ? (
          <Button look="quiet" className="mt-1 px-0!" onClick={() => setShowsAll(true)}>
            +{more} more tips available
          </Button>
        ) : (
          <p className="mt-2 text-soft">+{more} more tips available</p>
        ))}
      <ConfirmDialog
        open={removing !== null}
        title="Are you sure you want to remove this tip?"
        description={removing?.title ?? ''}
        yes="Remove"
        onYes={() => {
          if (removing) void actions.removeTip(removing).catch(log('Failed to remove the tip'));
        }}
        onClose={() => setRemoving(null)}
      />
    </section>
  );
}

/** What its creator and others can do about a place, and what comes less often. */
function OtherActions({ shown, place, address, onRemoved }: Shown & { onRemoved: () => void }) {
  const userId = useUser()?.id ?? '';
  const actions = usePlaceActions();
  const [isRemoving, setRemoving] = useState(false);
  const isOwn = shown.creator_user_id === userId;
  return (
    <div className="flex flex-wrap gap-x-4 border-t border-line pt-2">
      {(isOwn || shown.osm_id !== null) && !shown.isNew && (
        <SmallButton
          label={`${isOwn ? 'Edit' : 'Correct'} ${shown.name}`}
          words={isOwn ? 'Edit' : 'Correct'}
          Icon={Pencil}
          onClick={() => address.open(OPENED.edit, shown.id)}
        />
      )}
      {isOwn && !shown.isNew && (
        <SmallButton
          label={`Remove ${shown.name}`}
          words="Remove"
          Icon={Trash2}
          isDestructive
          onClick={() => setRemoving(true)}
        />
      )}
      {!isOwn && (
        <SmallButton
          label={`Report ${shown.name}`}
          words="Report"
          Icon={Flag}
          onClick={() => address.open(OPENED.report, shown.id)}
        />
      )}
      <ConfirmDialog
        open={isRemoving}
        title="Are you sure you want to remove this location?"
        description={
          place?.is_used_by_others
            ? 'Others have visited it or left tips, so it will remain for them, without your name.'
            : `${shown.name} will be removed, along with everything you added to it.`
        }
        yes="Remove"
        onYes={() => {
          onRemoved();
          void actions.removePlace(shown).catch(log('Failed to remove the location'));
        }}
        onClose={() => setRemoving(false)}
      />
    </div>
  );
}

function SmallButton({
  label,
  words,
  Icon,
  isDestructive = false,
  onClick,
}: {
  label: string;
  words: string;
  Icon: typeof Flag;
  /** Makes it red. */
  isDestructive?: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className={`inline-flex min-h-11 items-center -mx-2 gap-2 self-start rounded-control px-2 text-sm font-bold hover:bg-sunken ${isDestructive ? 'text-poor' : 'text-accent'}`}
    >
      <Icon aria-hidden className="size-5 shrink-0" />
      {words}
    </button>
  );
}

const STARS = [1, 2, 3, 4, 5] as const;

/** A rating input with one to five stars. A rating that was given can be removed. */
function Stars({
  legend,
  value,
  onPick,
  onRemove,
}: {
  legend: string;
  value: number | null;
  onPick: (stars: number) => void;
  onRemove: () => void;
}) {
  const name = useId();
  const stars = useRef<HTMLDivElement>(null);
  return (
    <fieldset className="flex flex-wrap items-center gap-x-3">
      <legend className="float-left mr-2 font-bold">{legend}</legend>
      <div ref={stars} className="flex">
        {STARS.map((stars) => (
          <label
            key={stars}
            className="relative flex size-11 cursor-pointer items-center justify-center rounded-control has-focus-visible:outline-3 has-focus-visible:outline-accent"
          >
            <span className="sr-only">{stars === 1 ? '1 star' : `${stars} stars`}</span>
            <input
              type="radio"
              name={name}
              checked={value === stars}
              onChange={() => onPick(stars)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <Star
              aria-hidden
              className={`size-7 ${value !== null && stars <= value ? 'fill-accent text-accent' : 'text-line-strong'}`}
            />
          </label>
        ))}
      </div>
      {value !== null && (
        <Button
          look="quiet"
          className="px-0!"
          onClick={() => {
            // The button disappears.
            stars.current?.querySelector('input')?.focus();
            onRemove();
          }}
        >
          Remove rating
        </Button>
      )}
    </fieldset>
  );
}
