import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useCloseDialog } from '../../platform/ui/dialogs/use-close-dialog.ts';
import { PROFILE_OPEN } from '../card/profile-link.tsx';
import { chatPath } from '../friends/chat-path.ts';
import { MyProfile } from './my-profile.tsx';
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
