import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useUser } from '../session/use-auth.tsx';
import { Modal } from '../ui/modal.tsx';
import { useSearchChange } from '../use-search-change.ts';
import { MyProfile } from './my-profile.tsx';
import { PROFILE_OPEN } from './profile-link.tsx';
import { UserProfile } from './user-profile.tsx';

/** A profile over whatever screen is open: one's own, or that of the user in the address. */
export default function ProfileModal() {
  const user = useUser();
  const [search] = useSearchParams();
  const change = useSearchChange();
  const isOpen = search.get('open') === PROFILE_OPEN.open;
  const userId = search.get(PROFILE_OPEN.user) ?? user?.id;
  const close = useCallback(
    () =>
      change(
        (address) => {
          address.delete('open');
          address.delete(PROFILE_OPEN.user);
        },
        { replace: true },
      ),
    [change],
  );
  const isOwn = userId === user?.id;
  return (
    <Modal
      open={isOpen && userId !== undefined}
      onClose={close}
      title={isOwn ? 'My Profile' : 'User Profile'}
    >
      {isOwn ? <MyProfile /> : <UserProfile key={userId} userId={userId ?? ''} />}
    </Modal>
  );
}
