import { toast } from 'sonner';
import { useContacts } from '../../friends/use-contacts.ts';
import { useSettings } from '../../settings/use-settings.ts';
import type { ShownAlert } from '../alerts/shown-alert.ts';
import { useProximity } from '../use-proximity.ts';

type Somebody = Pick<ShownAlert, 'user_id' | 'display_name'>;

/** Returns how the owner silences the alerts about people they walk with. */
export function useSilencing() {
  const { act } = useProximity();
  const { contacts } = useContacts();
  const { settings, save } = useSettings();

  function restore({ user_id: userId }: Somebody) {
    act({ type: 'silence', userId, isSilenced: false });
  }
  return {
    /** Someone anonymous can't be recognized later. */
    canSilence: ({ display_name }: Somebody) => display_name !== '',
    canSilenceFriends: ({ user_id }: Somebody) =>
      !settings.silence_friends && contacts.friends.some((friend) => friend.user_id === user_id),
    silence(person: Somebody) {
      act({ type: 'silence', userId: person.user_id, isSilenced: true });
      toast(`${person.display_name} is silenced for this walk`, {
        action: { label: 'Undo', onClick: () => restore(person) },
      });
    },
    restore,
    silenceFriends() {
      save({ silence_friends: true });
      toast('Friends’ dogs are silenced', {
        description: 'You can change it in Settings.',
        action: { label: 'Undo', onClick: () => save({ silence_friends: false }) },
      });
    },
    stopAsking: ({ user_id: userId }: Somebody) => act({ type: 'stop-asking', userId }),
  };
}
