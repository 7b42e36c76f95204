import { useState } from 'react';
import type { Person } from '#shared/moderation/people-contract.ts';
import { RowAction } from '../../../platform/admin/list/row-action.tsx';
import { Pill } from '../../../platform/admin/pill.tsx';
import { ConfirmDialog } from '../../../platform/ui/dialogs/confirm-dialog.tsx';
import { AdminPicture } from '../admin/admin-picture.tsx';
import { List, Row, Section } from './person-parts.tsx';
import type { usePerson } from './use-person.ts';

type Acting = ReturnType<typeof usePerson>;

/** The names and pictures of a person and their dogs. */
export function PersonNames({ person, acting }: { person: Person; acting: Acting }) {
  const [removing, setRemoving] = useState<Person['dogs'][number] | null>(null);
  const { account, dogs, is_name_hidden } = person;
  const hide = (name: string, isHidden: boolean) => (
    <RowAction
      word={isHidden ? 'Show name' : 'Hide name'}
      about={name}
      disabled={acting.isActing}
      onClick={() =>
        void acting.change(
          { type: isHidden ? 'show_name' : 'hide_name', name },
          isHidden ? 'Name is visible again' : 'Hidden until it’s changed',
        )
      }
    />
  );
  return (
    <Section title="Name and dogs">
      <List>
        {[
          <Row key="name" actions={hide(account.name, is_name_hidden)}>
            <span>{account.name}</span>
            {is_name_hidden && <Pill>Hidden</Pill>}
          </Row>,
          ...dogs.map((dog) => (
            <Row
              key={dog.id}
              actions={
                <>
                  {hide(dog.name, dog.is_hidden)}
                  {dog.image_key !== null && (
                    <RowAction
                      word="Remove photo"
                      about={`of ${dog.name}`}
                      disabled={acting.isActing}
                      onClick={() => setRemoving(dog)}
                    />
                  )}
                </>
              }
            >
              <AdminPicture id={dog.image_key} className="size-16" />
              <span className="min-w-0">{dog.name}</span>
              {dog.is_hidden && <Pill>Hidden</Pill>}
            </Row>
          )),
        ]}
      </List>
      <ConfirmDialog
        open={removing !== null}
        title={`Remove the photo of ${removing?.name ?? ''}?`}
        description="It’s deleted for everyone, and its owner is notified. Reports keep a copy."
        yes="Remove"
        onYes={() => {
          if (removing?.image_key)
            void acting.change(
              { type: 'remove_picture', image_key: removing.image_key },
              'Photo removed',
            );
        }}
        onClose={() => setRemoving(null)}
      />
    </Section>
  );
}
