import { UserRoundPlus } from 'lucide-react';
import { useState } from 'react';
import type { Contact } from '#shared/friends/document.ts';
import { FRIEND_REQUEST_MESSAGE_MAX } from '#shared/friends/rules.ts';
import { BLOCKED_TEXT } from '#shared/moderation/contract.ts';
import { Form } from '../../platform/forms/form.tsx';
import { requireValid, useSubmit } from '../../platform/forms/use-submit.ts';
import { MessageField } from '../../platform/ui/inputs/message-field.tsx';
import { useContactActions } from '../friends/use-contacts.ts';
import { useAccountStatus } from '../moderation/use-account-status.ts';
import { useWordFilter } from '../moderation/use-word-filter.ts';

/**
 * Sends a friend request. Checks the message for words that the server would reject, because an offline device would learn of
 * the rejection only days later.
 */
export function FriendRequestForm({ person }: { person: Pick<Contact, 'user_id' | 'name'> }) {
  const { ask } = useContactActions();
  const { restriction } = useAccountStatus();
  const check = useWordFilter();
  const [message, setMessage] = useState('');

  function problem(): string | null {
    if (message.trim() === '') return null;
    if (restriction)
      return 'You can’t send messages right now, but you can send a request without one.';
    return check(message) === 'blocked' ? BLOCKED_TEXT : null;
  }

  const form = useSubmit(
    () => {
      const wrong = problem();
      requireValid(wrong ? { message: wrong } : {});
      return ask(person, message);
    },
    { staysOpen: true },
  );
  const field = form.bind({ message }, (_, text) => setMessage(text));

  return (
    <Form
      form={form}
      submit="Send Friend Request"
      pending="Sending…"
      Icon={UserRoundPlus}
      checks
      className="gap-3"
    >
      <MessageField {...field('message')} max={FRIEND_REQUEST_MESSAGE_MAX} rows={2} />
    </Form>
  );
}
