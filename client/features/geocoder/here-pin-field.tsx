import { LocateFixed } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { Place } from '#shared/place.ts';
import { useAction } from '../../platform/forms/use-action.ts';
import { InvalidForm, type useSubmit } from '../../platform/forms/use-submit.ts';
import { typedPoint } from '../../platform/map/degrees.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { PinField } from './pin-field.tsx';

/**
 * Asks the author to confirm a position that the form filled in, because nobody publishes where they are without having seen it.
 * @param button the text of the form's button
 */
export const confirmPoint = (button: string): InvalidForm =>
  new InvalidForm(
    {},
    `This is where you are now. Check the pin and move it if it’s wrong, then press “${button}” again.`,
  );

/** A form's point, with a button for this device's position. */
export function HerePinField({
  form,
  find,
  onChange,
  ...field
}: Omit<ComponentProps<typeof PinField>, 'errors' | 'children'> & {
  form: Pick<ReturnType<typeof useSubmit>, 'fields' | 'clear' | 'showError'>;
  /** Determines this device's position. @throws with a message for the user */
  find: () => Promise<Place>;
}) {
  const [fillIn, filling] = useAction(async () => {
    form.clear();
    try {
      onChange(typedPoint(await find()));
    } catch (error) {
      form.showError(error);
    }
  });
  return (
    <PinField {...field} errors={form.fields} onChange={onChange}>
      <Button
        look="secondary"
        pending={filling && 'Finding your location…'}
        Icon={LocateFixed}
        onClick={() => void fillIn()}
      >
        Use My Location
      </Button>
    </PinField>
  );
}
