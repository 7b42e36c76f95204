import { Button } from '../../ui/button.tsx';
import { useOpened } from '../../ui/use-dialog-param.ts';

/** The name by which the address says that a person is open; the id is the user's. */
export const PERSON_OPEN = 'person';

/** Opens a person for moderators. Nothing for visitors and accounts that are deleted. */
export function OpenPerson({
  person,
  isNamed = false,
}: {
  person: { user_id: string; name: string | null };
  /** Whether the button shows the name: where nothing beside it does. */
  isNamed?: boolean;
}) {
  const { open } = useOpened();
  if (person.name === null) return null;
  return (
    <Button
      look="quiet"
      className="min-h-11! px-4!"
      onClick={() => open(PERSON_OPEN, person.user_id)}
    >
      {isNamed ? (
        <span className="min-w-0 break-words">Open person {person.name}</span>
      ) : (
        <>
          Open person<span className="sr-only"> {person.name}</span>
        </>
      )}
    </Button>
  );
}
