import { Ban } from 'lucide-react';
import { useState } from 'react';
import { BLOCK_REASON_MAX } from '#shared/blocks/contract.ts';
import type { CirclePerson } from '#shared/friends/document.ts';
import { useCircleActions } from '../friends/use-circle.ts';
import { Button } from '../ui/button.tsx';
import { MessageField } from '../ui/message-field.tsx';

/** Blocks somebody, after it has said what that means. */
export function BlockUser({ person }: { person: Pick<CirclePerson, 'user_id' | 'name'> }) {
  const { block } = useCircleActions();
  const [isAsking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  if (!isAsking)
    return (
      <Button
        look="quiet"
        onClick={() => setAsking(true)}
        icon={<Ban aria-hidden className="size-5 shrink-0" />}
      >
        Block User
      </Button>
    );
  return (
    <section
      aria-label={`Block ${person.name}`}
      className="flex flex-col gap-3 rounded-control border border-line-strong p-4"
    >
      <p>
        <strong>Block {person.name}?</strong> You are no longer friends, neither of you is shown
        nearby to the other, and they can send you nothing. They are not told.
      </p>
      <MessageField
        label="Reason"
        value={reason}
        onChange={setReason}
        max={BLOCK_REASON_MAX}
        rows={2}
      />
      <div className="flex gap-3">
        <Button look="secondary" wide onClick={() => setAsking(false)}>
          Cancel
        </Button>
        <Button
          wide
          onClick={() => {
            block(person, reason).catch((error: unknown) =>
              console.error('Failed to block user', error),
            );
          }}
        >
          Block
        </Button>
      </div>
    </section>
  );
}
