import { LocateFixed } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { Place } from '#shared/place.ts';
import { useAction } from '../forms/use-action.ts';
import type { useSubmit } from '../forms/use-submit.ts';
import { Button } from '../ui/buttons/button.tsx';
import { PinField } from './pin-field.tsx';

/** About four inches. */
const DECIMALS = 6;

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
      const { latitude, longitude } = await find();
      onChange({ latitude: latitude.toFixed(DECIMALS), longitude: longitude.toFixed(DECIMALS) });
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
