import { Ban } from 'lucide-react';
import { useState } from 'react';
import type { Contact } from '#shared/friends/document.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { BlockDialog } from './block-dialog.tsx';

/** Blocks a user after explaining the consequences. */
export function BlockUser({
  person,
  onDone,
}: {
  person: Pick<Contact, 'user_id' | 'name'>;
  onDone: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)} Icon={Ban}>
        Block User
      </Button>
      <BlockDialog
        open={isAsking}
        person={person}
        onClose={() => setAsking(false)}
        onDone={() => {
          setAsking(false);
          onDone();
        }}
      />
    </>
  );
}
