import { UserRoundPlus } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { FRIEND_REQUEST_MESSAGE_MAX } from '#shared/friends/contract.ts';
import type { CirclePerson } from '#shared/friends/document.ts';
import { BLOCKED_TEXT } from '#shared/moderation/contract.ts';
import { useCircleActions } from '../friends/use-circle.ts';
import { useStanding } from '../moderation/use-standing.ts';
import { useWordFilter } from '../moderation/use-word-filter.ts';
import { Button } from '../ui/button.tsx';
import { MessageField } from '../ui/message-field.tsx';
import { useProblems } from '../use-problems.ts';

/**
 * Asks somebody to be friends. Words that the server would not have are not sent: the refusal may come days later, and the form
 * that had them is gone by then.
 */
export function AskForm({ person }: { person: Pick<CirclePerson, 'user_id' | 'name'> }) {
  const { ask } = useCircleActions();
  const { restriction } = useStanding();
  const check = useWordFilter();
  const { form, fields, show, forgive } = useProblems();
  const [message, setMessage] = useState('');

  function problem(): string | null {
    if (message.trim() === '') return null;
    if (restriction) return 'You cannot send messages for now. You can ask without one.';
    return check(message) === 'blocked' ? BLOCKED_TEXT : null;
  }

  function send(event: FormEvent) {
    event.preventDefault();
    const wrong = problem();
    if (wrong) show('', { message: wrong });
    else void ask(person, message);
  }

  return (
    <form ref={form} onSubmit={send} className="flex flex-col gap-3">
      <MessageField
        value={message}
        onChange={(next) => {
          setMessage(next);
          forgive('message');
        }}
        max={FRIEND_REQUEST_MESSAGE_MAX}
        rows={2}
        error={fields['message']}
      />
      <Button type="submit" icon={<UserRoundPlus aria-hidden className="size-5 shrink-0" />}>
        Send Friend Request
      </Button>
    </form>
  );
}
