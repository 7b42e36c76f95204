import {
  ChevronsLeftRight,
  ChevronsRightLeft,
  Equal,
  Volume2,
  type LucideIcon,
  BellOff,
} from 'lucide-react';
import type { SoundType } from '#shared/dogs/contract.ts';
import { dogNotesText } from '#shared/dogs/words.ts';
import type { NearbyUser } from '#shared/proximity/contract.ts';
import { RADIUS_FEET } from '#shared/proximity/rules.ts';
import { useReachable } from '../../../platform/http/use-reachable.ts';
import { EmptyState } from '../../../platform/illustrations/empty-state.tsx';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { LeashBadge } from '../../../platform/ui/layout/leash-badge.tsx';
import { DogPicture } from '../../card/dog-picture.tsx';
import { ProfileLink } from '../../card/profile-link.tsx';
import { useCard } from '../../card/use-card.ts';
import { LookalikeNote } from '../../friends/lookalike-note.tsx';
import { useSettings } from '../../settings/use-settings.ts';
import { useUnits } from '../../settings/use-units.ts';
import { playSoundType } from '../../sounds/audio.ts';
import { useSoundLibrary } from '../../sounds/use-sounds.ts';
import { distanceText, waryNames, type NearbyDog } from '../alerts/alert-text.ts';
import { ownSide, soundOf, verdictOf } from '../alerts/verdict.ts';
import type { FollowedUser } from '../monitor/trend.ts';
import { useDogsAlong } from '../use-dogs-along.ts';
import { useProximity } from '../use-proximity.ts';
import { useWalkStatus } from '../use-walk-status.ts';
import { ShownDistance } from './shown-distance.tsx';

/** Neither is an arrow: a direction is shown in warnings alone (decision 295). */
const TRENDS: Record<FollowedUser['trend'], { word: string; Icon: LucideIcon }> = {
  approaching: { word: 'Approaching', Icon: ChevronsRightLeft },
  leaving: { word: 'Leaving', Icon: ChevronsLeftRight },
  steady: { word: 'Steady', Icon: Equal },
};

/** The risk of a meeting, by color; badges and advice say it in words. */
const RISKS: Record<SoundType, string> = {
  leash_on: 'border-leash-on bg-leash-on-soft',
  leash_off: 'border-leash-off bg-surface',
};

function NearbyDogLine({ dog }: { dog: NearbyDog }) {
  const { volume } = useSettings().settings;
  const sounds = useSoundLibrary();
  return (
    <li className="flex items-center gap-2.5">
      <DogPicture imageKey={dog.image_key} dog={dog} className="size-11" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-0.5">
        <span className="min-w-0 text-lg leading-snug font-bold break-words">
          {dog.name || 'A dog'}
        </span>
        <LeashBadge type={dog.sound_type} isStrong={dog.sound_type === 'leash_on'} />
      </div>
      <IconButton
        Icon={Volume2}
        label={`Play the sound of ${dog.name || 'this dog'}`}
        onClick={() => void playSoundType(dog.sound_type, volume, sounds?.bytesOf(dog.sound_type))}
      />
    </li>
  );
}

function NearbyPerson({ user, isCurrent }: { user: FollowedUser; isCurrent: boolean }) {
  const { word, Icon } = TRENDS[user.trend];
  const { along } = useDogsAlong();
  const { alerts } = useProximity();
  const isSilenced = alerts.some(
    ({ user_id, silence }) => user_id === user.user_id && silence !== null,
  );
  const own = { ...ownSide(along), leashPlace: null };
  const verdict = verdictOf(user.dogs, own);
  const isAboutOwnDog = verdict.isUrgent && waryNames(user.dogs).length === 0;
  if (user.is_anonymous) return <AnonymousPerson user={user} />;
  return (
    <li
      className={`flex animate-appear flex-col gap-1 rounded-control border border-l-8 py-2 pr-1.5 pl-3 ${user.dogs.length > 0 ? RISKS[soundOf(verdict)] : 'border-line'}`}
    >
      <div className="flex items-center justify-between gap-x-3 pr-1.5">
        <h3 className="min-w-0 flex-1">
          {user.display_name === '' ? (
            <span>Someone</span>
          ) : (
            <ProfileLink
              userId={user.user_id}
              className="inline-flex min-h-11 max-w-full min-w-11 items-center underline decoration-line-strong underline-offset-4 hover:decoration-current"
            >
              <span className="line-clamp-1 min-w-0 break-all">{user.display_name}</span>
            </ProfileLink>
          )}
          <LookalikeNote userId={user.user_id} name={user.display_name} />
        </h3>
        <p className="flex flex-col items-end leading-tight whitespace-nowrap">
          <span className="text-xl font-bold tabular-nums">
            <ShownDistance feet={user.distance_feet} format={distanceText} />
          </span>
          {isSilenced && (
            <span className="flex items-center gap-1 text-sm">
              <BellOff aria-hidden className="size-4 shrink-0" />
              Silenced
            </span>
          )}
          {isCurrent && (
            <span className="flex items-center gap-1 text-sm font-bold">
              <Icon aria-hidden className="size-4 shrink-0" />
              {word}
            </span>
          )}
        </p>
      </div>
      {user.dogs.length > 0 ? (
        <ul className="flex flex-col gap-1">
          {user.dogs.map((dog, index) => (
            <NearbyDogLine key={index} dog={dog} />
          ))}
        </ul>
      ) : (
        <p className="text-sm text-soft">No dogs.</p>
      )}
      {isAboutOwnDog && (
        <p className="text-sm font-bold">
          {verdict.names} {verdict.verdict}. {verdict.advice}
        </p>
      )}
    </li>
  );
}

function Nearby() {
  const { status: opening, card } = useCard();
  const { isWalking, status } = useWalkStatus();
  const { nearby } = useProximity();
  const isOnline = useReachable();
  const { settings } = useSettings();
  const radius = useUnits().near(Math.max(RADIUS_FEET, settings.alert_radius_feet));
  if (!card && opening === 'loading')
    return <Skeleton label="Looking for people nearby" lines={1} />;
  if (!card)
    return <p className="text-soft">People nearby will show up once your data has loaded.</p>;
  if (!isWalking)
    return (
      <p className="text-soft">
        {isOnline
          ? 'Start a walk to see who’s nearby.'
          : 'On a walk, you’ll see who’s nearby once you’re back online.'}
      </p>
    );
  const isCurrent = status === 'active';
  if (!nearby) {
    if (isCurrent || status === 'starting')
      return <Skeleton label="Looking for people nearby" lines={1} />;
    return (
      <p className="text-soft">
        {status === 'quiet'
          ? 'In a quiet place, you don’t see others either.'
          : 'You’ll see who’s nearby once warnings work again.'}
      </p>
    );
  }
  // The card above says why warnings are paused.
  if (nearby.length === 0)
    return (
      <EmptyState illustration="dogs" isSmall>
        {isCurrent
          ? settings.is_nameless
            ? 'You’re walking without your name. You’ll be warned of dogs that need space.'
            : `No one within ${radius}. You’ll be warned when someone comes near.`
          : 'No one was nearby before warnings paused.'}
      </EmptyState>
    );
  return (
    <div className="flex flex-col gap-2">
      {!isCurrent && (
        <p className="text-sm font-bold">Last known distances, before warnings paused:</p>
      )}
      <ul className="flex flex-col gap-2">
        {nearby.map((user) => (
          <NearbyPerson key={user.user_id} user={user} isCurrent={isCurrent} />
        ))}
      </ul>
    </div>
  );
}

/** Users within the radius, nearest first, with their dogs. */
export function NearbyUsers() {
  return (
    <Card title="Nearby Users">
      <Nearby />
    </Card>
  );
}

/** Someone nearby who may not be identified, in the list of people nearby: their dog only. */
function AnonymousPerson({ user: { distance_feet, dogs } }: { user: NearbyUser }) {
  return (
    <li className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="font-bold">A dog nearby</h3>
        <p className="text-lg font-bold whitespace-nowrap tabular-nums">
          {distanceText(distance_feet, useUnits())}
        </p>
      </div>
      {dogs.map((dog, index) => (
        <p key={index} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <LeashBadge type={dog.sound_type} />
          <span className="font-bold">{dogNotesText(dog)}</span>
        </p>
      ))}
    </li>
  );
}
