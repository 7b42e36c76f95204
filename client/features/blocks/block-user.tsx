import { Ban } from 'lucide-react';
import { useState } from 'react';
import type { Contact } from '#shared/friends/document.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { BlockForm } from './block-form.tsx';

/** Blocks a user after explaining the consequences. */
export function BlockUser({
  person,
  onDone,
}: {
  person: Pick<Contact, 'user_id' | 'name'>;
  onDone: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking)
    return (
      <Button look="quiet" onClick={() => setAsking(true)} Icon={Ban}>
        Block User
      </Button>
    );
  return (
    <section
      aria-label={`Block ${person.name}`}
      className="rounded-control border border-line-strong p-4"
    >
      <BlockForm person={person} onDone={onDone} onCancel={() => setAsking(false)} />
    </section>
  );
}
