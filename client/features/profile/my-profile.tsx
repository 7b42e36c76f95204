import { UserRoundPen } from 'lucide-react';
import { useUser } from '../../platform/session/use-auth.tsx';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { useCard } from '../card/use-card.ts';
import { PersonIndex } from '../friendly-index/person-index.tsx';
import { useContacts } from '../friends/use-contacts.ts';
import { FriendsFact, ProfileDetails } from './profile-details.tsx';
import { useSharing } from './use-sharing.ts';

/** The user's own profile, from this device. */
export function MyProfile() {
  const user = useUser();
  const { status, card } = useCard();
  const { isSharing } = useSharing();
  const userId = user?.id ?? '';
  const { status: contactsStatus, contacts } = useContacts();
  if (!card)
    return status === 'loading' ? (
      <Skeleton label="Loading your profile…" lines={3} />
    ) : (
      <ErrorBanner>Failed to load user profile</ErrorBanner>
    );
  return (
    <div className="flex flex-col gap-5">
      <ProfileDetails
        card={card}
        userId={userId}
        isSharing={isSharing}
        facts={contactsStatus === 'ready' && <FriendsFact count={contacts.friends.length} />}
      />
      <PersonIndex userId={userId} />
      <ButtonLink look="secondary" to="/onboarding" Icon={UserRoundPen}>
        Edit Profile
      </ButtonLink>
    </div>
  );
}
