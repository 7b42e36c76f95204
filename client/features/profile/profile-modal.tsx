import { UserRoundPen } from 'lucide-react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { useUser } from '../../platform/session/use-auth.tsx';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useCloseDialog } from '../../platform/ui/dialogs/use-close-dialog.ts';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { PROFILE_OPEN } from '../card/profile-link.tsx';
import { useCard } from '../card/use-card.ts';
import { PersonIndex } from '../friendly-index/person-index.tsx';
import { chatPath } from '../friends/chat-path.ts';
import { useContacts } from '../friends/use-contacts.ts';
import { FriendsFact, ProfileDetails } from './profile-details.tsx';
import { useSharing } from './use-sharing.ts';
import { UserProfile } from './user-profile.tsx';

/** A profile dialog on any screen: the user's own, or that of the user in the address. */
export default function ProfileModal() {
  const user = useUser();
  const [search] = useSearchParams();
  const isOpen = search.get('open') === PROFILE_OPEN.open;
  const userId = search.get(PROFILE_OPEN.user) ?? user?.id;
  const close = useCloseDialog('open', PROFILE_OPEN.user);
  const isOwn = userId === user?.id;
  const { pathname } = useLocation();
  const navigate = useNavigate();
  // In the chat with this user, there is nothing to return to.
  const leaveChat = () => {
    if (userId && pathname === chatPath(userId))
      void close().then(() => navigate('/social', { replace: true }));
  };
  return (
    <Modal
      open={isOpen && userId !== undefined}
      onClose={close}
      title={isOwn ? 'My Profile' : 'User Profile'}
    >
      {isOwn ? (
        <MyProfile />
      ) : (
        <UserProfile key={userId} userId={userId ?? ''} onBlocked={leaveChat} />
      )}
    </Modal>
  );
}

/** The user's own profile, from this device. */
function MyProfile() {
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
