import { CloudOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { getUserProfile } from '#shared/profile/contract.ts';
import type { Card } from '#shared/profile/document.ts';
import { features } from '../../platform/features.ts';
import { isNotFound } from '../../platform/http/api-client.ts';
import { messageOf } from '../../platform/http/error-message.ts';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';
import { BlockUser } from '../blocks/block-user.tsx';
import { personPath } from '../card/profile-link.tsx';
import { useUserProfile } from '../card/use-user-profile.ts';
import { PersonIndex } from '../friendly-index/person-index.tsx';
import { LookalikeNote } from '../friends/lookalike-note.tsx';
import { statusOf } from '../friends/optimistic-contacts.ts';
import { PersonPhoto } from '../friends/person-photo.tsx';
import { useContacts, useFriendCard, useFriendNames } from '../friends/use-contacts.ts';
import { ReportPerson, type ReportedOfProfile } from '../moderation/report-person.tsx';
import { Friendship } from './friendship.tsx';
import { FriendsFact, ProfileDetails } from './profile-details.tsx';

/** Another user's profile: a friend's from the card on this device, others' from the server. */
export function UserProfile({
  userId,
  isPage = false,
  onBlocked,
}: {
  userId: string;
  /** Whether it has a screen of its own. */
  isPage?: boolean;
  onBlocked: () => void;
}) {
  const { status: contactsStatus, contacts } = useContacts();
  const relationship = statusOf(contacts, userId);
  const friend = contacts.friends.find(({ user_id }) => user_id === userId);
  const friendCard = useFriendCard(friend);
  const known = contactsStatus === 'ready';
  const {
    data: profile,
    error,
    isError,
    fetchStatus,
    dataUpdatedAt,
    refetch,
  } = useUserProfile(userId);
  const [reported, setReported] = useState<ReportedOfProfile>(null);
  const relationshipBefore = useRef<string | null>(null);
  useEffect(() => {
    if (!known) return;
    // The visible details depend on the relationship.
    if (relationshipBefore.current !== null && relationshipBefore.current !== relationship)
      void refetch();
    relationshipBefore.current = relationship;
  }, [known, relationship, refetch]);
  const card: Card | undefined = friendCard ?? profile;
  const isGone = isNotFound(error) && !friendCard;

  if (isGone)
    return (
      <ErrorBanner
        // A dialog has a close button; a screen of its own would be a dead end.
        action={
          isPage && (
            <ButtonLink look="secondary" to="/social">
              Back to Social
            </ButtonLink>
          )
        }
      >
        {messageOf(error)}
      </ErrorBanner>
    );
  if (!card) {
    if (fetchStatus === 'paused')
      return (
        <p className="text-soft">
          You’re offline. Connect to the internet once to load this profile.
        </p>
      );
    if (!isError) return <Skeleton label="Loading profile…" lines={3} />;
    return <ErrorBanner onRetry={() => void refetch()}>{getUserProfile.failure}</ErrorBanner>;
  }
  const person = { user_id: userId, name: card.display_name };
  const status = known ? relationship : (profile?.friendship_status ?? 'none');
  const facts = features().flatMap(({ personFacts = [] }) => personFacts);
  const reportedDog = card.dogs.find(
    ({ image_key }) => reported?.type === 'picture' && image_key === reported.image_key,
  );
  const isOld = !friendCard && (fetchStatus === 'paused' || isError);
  return (
    <div className="flex flex-col gap-5">
      {isOld && (
        <p role="status" className="flex items-center gap-2 text-sm text-soft">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          <span>
            As of <Time at={new Date(dataUpdatedAt).toISOString()} />
          </span>
        </p>
      )}
      <ProfileDetails
        card={card}
        userId={userId}
        onReportPhoto={(image_key) => setReported({ type: 'picture', image_key })}
        facts={
          <>
            {profile?.mutual_friends_count ? (
              <FriendsFact count={profile.mutual_friends_count} mutual />
            ) : null}
            {facts.map((Fact, i) => (
              <Fact key={i} userId={userId} />
            ))}
          </>
        }
      />
      <MutualFriends ids={profile?.mutual_friend_ids ?? []} />
      <Friendship person={person} status={status} isWaiting={contacts.waiting.has(userId)} />
      <PersonIndex userId={userId} />
      <div className="flex flex-wrap justify-center gap-x-2 [&>button]:px-2">
        <ReportPerson
          person={person}
          reported={reported}
          dogName={reportedDog?.name ?? ''}
          onChange={setReported}
        />
        {status !== 'blocked' && <BlockUser person={person} onDone={onBlocked} />}
      </div>
    </div>
  );
}

/** The mutual friends by name, from the cards on this device. */
function MutualFriends({ ids }: { ids: readonly string[] }) {
  const { contacts } = useContacts();
  const names = useFriendNames();
  const mutual = contacts.friends.filter(({ user_id }) => ids.includes(user_id));
  if (mutual.length === 0) return null;
  return (
    <section aria-label="Mutual friends" className="border-t border-line pt-5">
      <h3 className="mb-2 font-bold">Mutual friends</h3>
      <ul className="flex flex-wrap gap-x-4">
        {mutual.map((friend) => {
          const name = names.get(friend.user_id) ?? friend.name;
          return (
            <li key={friend.user_id} className="min-w-0">
              <Link
                to={personPath(friend.user_id)}
                className="flex min-h-11 items-center gap-2 underline decoration-line-strong underline-offset-4 hover:decoration-current"
              >
                <PersonPhoto person={friend} name={name} className="size-8 text-sm" />
                <span className="min-w-0 break-words">
                  {name}
                  <LookalikeNote userId={friend.user_id} name={name} />
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
