import { CalendarPlus, Flag, Pencil, Share2, Star, Trash2 } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { toast } from 'sonner';
import { deleteLocationPhoto } from '#shared/locations/photo-contract.ts';
import { TIPS_SHOWN } from '#shared/locations/rules.ts';
import { type LocationTip } from '#shared/locations/schemas.ts';
import { rateLocation, withdrawRating } from '#shared/locations/visit-contract.ts';
import { planWalkAt } from '#shared/planned-walks/rules.ts';
import { useUser } from '../../../platform/session/use-auth.tsx';
import type { WaitingCall } from '../../../platform/sync/outbox/outbox.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { ConfirmDialog } from '../../../platform/ui/dialogs/confirm-dialog.tsx';
import { OsmAttribution } from '../../geocoder/osm-attribution.tsx';
import {
  photosWithWaiting,
  ratingWithWaiting,
  tipsWithWaiting,
  type ShownPlace,
} from '../optimistic-places.ts';
import { OPENED, type Address } from '../search/use-location-params.ts';
import { usePlace } from '../search/use-places.ts';
import { PlacePhotos } from './place-photos.tsx';
import { TipItem } from './tip-item.tsx';
import { usePlaceActions } from './use-place-actions.ts';

const LINK =
  'inline-flex min-h-11 items-center gap-2 rounded-control px-2 text-sm font-bold text-accent hover:bg-sunken';

/** Opens the device's share sheet with a link to a place; copies the link where there is none. */
async function sharePlace({ id, name }: ShownPlace): Promise<void> {
  const url = `${location.origin}/locations?place=${encodeURIComponent(id)}`;
  // Closing the share sheet isn't an error.
  if ('share' in navigator) return void navigator.share({ title: name, url }).catch(() => null);
  try {
    await (navigator as Navigator).clipboard.writeText(url);
    toast.success('Link copied');
  } catch {
    toast.error('Your browser won’t let us copy the link.');
  }
}

const log = (failure: string) => (error: unknown) => console.error(failure, error);

/** Details of the chosen place: what one can do, photos, the user's own rating, tips. */
export function PlaceDetails({
  shown,
  waiting,
  address,
  isVisited,
}: {
  shown: ShownPlace;
  waiting: readonly WaitingCall[];
  address: Address;
  /** Whether the user has just recorded a visit. */
  isVisited: boolean;
}) {
  const user = useUser();
  const { place } = usePlace(shown.id);
  const actions = usePlaceActions();
  const [showsAll, setShowsAll] = useState(false);
  const [removing, setRemoving] = useState<'place' | LocationTip | null>(null);
  const userId = user?.id ?? '';
  const tips = tipsWithWaiting(place?.tips ?? shown.tips, waiting, { placeId: shown.id, userId });
  const count = place ? tips.length : Math.max(shown.tip_count, tips.length);
  const shownTips = showsAll ? tips : tips.slice(0, TIPS_SHOWN);
  const more = count - shownTips.length;
  const isOwn = shown.creator_user_id === userId;
  const rating = ratingWithWaiting(place?.own_rating ?? null, waiting, shown.id);
  const icon = 'size-5 shrink-0';

  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <div className="-mx-2 flex flex-wrap gap-x-1">
        {shown.is_public && !shown.isNew && (
          <>
            <Link to={planWalkAt(shown.id)} className={LINK}>
              <CalendarPlus aria-hidden className={icon} />
              Plan a walk<span className="sr-only"> at {shown.name}</span>
            </Link>
            <SmallButton
              label={`Share ${shown.name}`}
              words="Share"
              Icon={Share2}
              onClick={() => void sharePlace(shown)}
            />
          </>
        )}
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
            onClick={() => setRemoving('place')}
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
      </div>
      {place && !shown.isNew && (
        <PlacePhotos
          place={shown}
          photos={photosWithWaiting(place.photos, waiting)}
          userId={userId}
          onRemove={(photo) =>
            void actions.removePhoto(shown, photo).catch(log(deleteLocationPhoto.failure))
          }
        />
      )}
      {!shown.isNew && (
        <Stars
          legend={isVisited ? 'How was it?' : 'Your rating'}
          value={rating}
          onPick={(stars) => void actions.rate(shown, stars).catch(log(rateLocation.failure))}
          onRemove={() => void actions.withdrawRating(shown).catch(log(withdrawRating.failure))}
        />
      )}
      <section aria-label={`Tips for ${shown.name}`}>
        <h4 className="mb-2 font-bold">Tips</h4>
        {tips.length === 0 && <p className="text-soft">No tips yet. Share what you know.</p>}
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
      </section>
      {shown.osm_id !== null && (
        <p className="text-xs text-soft">
          From <OsmAttribution id={shown.osm_id} />
          <span>. Corrections that members make stay beside it.</span>
        </p>
      )}
      <ConfirmDialog
        open={removing === 'place'}
        title="Are you sure you want to remove this location?"
        description={
          place?.is_used_by_others
            ? 'Others have visited it or left tips, so it will remain for them, without your name.'
            : `${shown.name} will be removed, along with everything you added to it.`
        }
        yes="Remove"
        isDestructive
        onYes={() => {
          address.select(null);
          void actions.removePlace(shown).catch(log('Failed to remove the location'));
        }}
        onClose={() => setRemoving(null)}
      />
      <ConfirmDialog
        open={removing !== null && removing !== 'place'}
        title="Are you sure you want to remove this tip?"
        description={removing !== null && removing !== 'place' ? removing.title : ''}
        yes="Remove"
        isDestructive
        onYes={() => {
          if (removing !== null && removing !== 'place')
            void actions.removeTip(removing).catch(log('Failed to remove the tip'));
        }}
        onClose={() => setRemoving(null)}
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
      className={`inline-flex min-h-11 items-center gap-2 rounded-control px-2 text-sm font-bold hover:bg-sunken ${isDestructive ? 'text-poor' : 'text-accent'}`}
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
