import { Volume2 } from 'lucide-react';
import type { NearbyUser } from '#shared/proximity/contract.ts';
import { RADIUS_FEET } from '#shared/proximity/rules.ts';
import { DogPicture } from '../../dogs/dog-picture.tsx';
import { ProfileLink } from '../../profile/profile-link.tsx';
import { useCard } from '../../profile/use-card.ts';
import { useSharing } from '../../profile/use-sharing.ts';
import { useSettings } from '../../settings/use-settings.ts';
import { useUnits } from '../../settings/use-units.ts';
import { useSoundLibrary } from '../../sounds/use-sounds.ts';
import { Card } from '../../ui/card.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LeashBadge } from '../../ui/leash-badge.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { playSoundType } from '../output/audio.ts';
import { statusText } from '../monitor/proximity-state.ts';
import { useProximity } from '../use-proximity.ts';
import { AnonymousPerson } from './anonymous-person.tsx';
import { distanceText, type NearbyDog } from '../alerts/alert-text.ts';

function NearbyDogLine({ dog }: { dog: NearbyDog }) {
  const { volume } = useSettings().settings;
  const sounds = useSoundLibrary();
  return (
    <li className="flex items-center gap-3">
      <DogPicture imageKey={dog.image_key} dog={dog} className="size-12" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 font-bold break-words">{dog.name}</span>
        <LeashBadge type={dog.sound_type} />
      </div>
      <IconButton
        Icon={Volume2}
        label={`Play the sound of ${dog.name}`}
        onClick={() => void playSoundType(dog.sound_type, volume, sounds?.bytesOf(dog.sound_type))}
      />
    </li>
  );
}

function NearbyPerson({ user }: { user: NearbyUser }) {
  const units = useUnits();
  if (user.is_anonymous) return <AnonymousPerson user={user} />;
  return (
    <li className="flex flex-col gap-2.5 py-4 first:pt-0 last:pb-0">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="min-w-0 font-bold break-words">
          <ProfileLink
            userId={user.user_id}
            className="-my-2.5 inline-flex min-h-11 max-w-full min-w-11 items-center py-2.5 underline decoration-line-strong underline-offset-4 hover:decoration-current"
          >
            <span className="line-clamp-3 min-w-0 break-words">{user.display_name}</span>
          </ProfileLink>
        </h3>
        <p className="text-lg font-bold whitespace-nowrap tabular-nums">
          {distanceText(user.distance_feet, units)}
        </p>
      </div>
      {user.dogs.length > 0 ? (
        <ul className="flex flex-col gap-2">
          {user.dogs.map((dog, index) => (
            <NearbyDogLine key={index} dog={dog} />
          ))}
        </ul>
      ) : (
        <p className="text-sm text-soft">No dogs.</p>
      )}
    </li>
  );
}

function Nearby() {
  const { status: opening, card } = useCard();
  const { isSharing } = useSharing();
  const { status, nearby, problem } = useProximity();
  const { settings } = useSettings();
  const radius = useUnits().near(Math.max(RADIUS_FEET, settings.alert_radius_feet));
  if (!card && opening === 'loading')
    return <Skeleton label="Looking for people nearby" lines={1} />;
  if (!card)
    return <p className="text-soft">People nearby will show up once your data has loaded.</p>;
  if (!isSharing) return <p className="text-soft">Turn on location sharing to see who’s nearby.</p>;
  const isCurrent = status === 'active';
  if (!nearby) {
    if (isCurrent || status === 'starting' || status === 'off')
      return <Skeleton label="Looking for people nearby" lines={1} />;
    const { title, more } = statusText({ status, problem }, radius);
    return (
      <p className="text-soft">
        {title}. {more}
      </p>
    );
  }
  const paused = `${statusText({ status, problem }, radius).title}.`;
  // One line, so that nothing below moves; promises warnings only while they work.
  if (nearby.length === 0)
    return (
      <p className="min-h-12 text-soft">
        {isCurrent
          ? `No one within ${radius}. You’ll be warned when someone comes near.`
          : `${paused} No one was nearby before.`}
      </p>
    );
  return (
    <div className="flex flex-col gap-3">
      {!isCurrent && (
        <p className="rounded-control bg-sunken p-3 text-sm font-bold">
          {paused} These are the last known owners nearby.
        </p>
      )}
      <ul className="divide-y divide-line">
        {nearby.map((user) => (
          <NearbyPerson key={user.user_id} user={user} />
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
