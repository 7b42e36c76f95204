import { useState } from 'react';
import { BLOCK_REASON_MAX } from '#shared/blocks/rules.ts';
import type { Contact } from '#shared/friends/document.ts';
import { useContactActions } from '../friends/use-contacts.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { MessageField } from '../../platform/ui/inputs/message-field.tsx';

/** Explains what blocking means, asks for a reason, and blocks. */
export function BlockForm({
  person,
  onDone,
  onCancel,
}: {
  person: Pick<Contact, 'user_id' | 'name'>;
  onDone: () => void;
  onCancel: () => void;
}) {
  const { block } = useContactActions();
  const [reason, setReason] = useState('');
  return (
    <div className="flex flex-col gap-3">
      <p>
        <strong>Block {person.name}?</strong> You’ll no longer be friends, your messages to each
        other will be removed, you won’t see each other nearby, and they can’t contact you. They
        won’t be notified.
      </p>
      <MessageField
        label="Reason"
        value={reason}
        onChange={setReason}
        max={BLOCK_REASON_MAX}
        rows={2}
      />
      <div className="actions">
        <Button look="secondary" wide onClick={onCancel}>
          Cancel
        </Button>
        <Button
          wide
          look="danger"
          onClick={() => {
            void block(person, reason).then((isKept) => isKept && onDone());
          }}
        >
          Block
        </Button>
      </div>
    </div>
  );
}
