import { RowAction } from '../../../platform/admin/list/row-action.tsx';
import { useDialogParam } from '../../../platform/ui/dialogs/use-dialog-param.ts';

/** The name of the dialog in the address; its ID is the user's. */
export const PERSON_OPEN = 'person';

/** A button that opens a person for moderators; renders nothing for visitors and deleted accounts. */
export function OpenPerson({
  person,
  isNamed = false,
}: {
  person: { user_id: string; name: string | null };
  /** Whether the button shows the name, because nothing next to it does. */
  isNamed?: boolean;
}) {
  const { open } = useDialogParam();
  if (person.name === null) return null;
  return (
    <RowAction
      word={isNamed ? `Open person ${person.name}` : 'Open person'}
      about={isNamed ? '' : person.name}
      onClick={() => open(PERSON_OPEN, person.user_id)}
    />
  );
}
