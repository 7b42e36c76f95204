import { Stethoscope } from 'lucide-react';
import { useState } from 'react';
import { createTip, tipFields, updateTip, type TipFields } from '#shared/locations/contract.ts';
import { TIP_CONTENT_MAX, TIP_TITLE_MAX } from '#shared/locations/rules.ts';
import { type LocationTip, type TipType } from '#shared/locations/schemas.ts';
import { Form } from '../../../platform/forms/form.tsx';
import {
  InvalidForm,
  parseForm,
  requireValid,
  useSubmit,
} from '../../../platform/forms/use-submit.ts';
import { Checkbox } from '../../../platform/ui/inputs/checkbox.tsx';
import { Field } from '../../../platform/ui/inputs/field.tsx';
import { MessageField } from '../../../platform/ui/inputs/message-field.tsx';
import { SelectField } from '../../../platform/ui/inputs/select-field.tsx';
import { useContentFilter } from '../../moderation/use-content-filter.ts';
import { choicesOf, TIP_KINDS } from '../place-types.ts';
import { usePlaceActions } from './use-place-actions.ts';

const LABELS = {
  usual: { title: 'Title', content: 'Your tip', hint: 'What should others know?' },
  veterinary: {
    title: 'Clinic or veterinarian',
    content: 'Details for an emergency',
    hint: 'Address, phone, hours, and what they treat.',
  },
};

/** Adds a tip about a place, or edits the user's own. */
export function TipForm({
  placeId,
  edited,
  onDone,
}: {
  placeId: string;
  edited: LocationTip | null;
  onDone: () => void;
}) {
  const { addTip, editTip } = usePlaceActions();
  const filter = useContentFilter();
  const [typed, setTyped] = useState<Required<TipFields>>({
    tip_type: edited?.tip_type ?? 'general',
    title: edited?.title ?? '',
    content: edited?.content ?? '',
    is_public: edited?.is_public ?? true,
  });
  const set = (more: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...more }));
  const isVeterinary = typed.tip_type === 'veterinary';
  const labels = isVeterinary ? LABELS.veterinary : LABELS.usual;

  const form = useSubmit(async () => {
    const tip = parseForm(tipFields, typed);
    const { is_public, title, content } = typed;
    requireValid(filter('location_tip', is_public ? { title, content } : {}));
    try {
      await (edited ? editTip(edited.id, tip) : addTip(placeId, tip));
    } catch (error) {
      console.error('Failed to store the tip', error);
      throw new InvalidForm({}, (edited ? updateTip : createTip).failure);
    }
    onDone();
  });
  const bind = form.bind<'title' | 'content'>(typed, (name, text) => set({ [name]: text }));

  return (
    <Form form={form} submit={edited ? 'Save' : 'Add Tip'} onCancel={onDone} isInView>
      <SelectField
        label="Tip type"
        options={choicesOf(TIP_KINDS)}
        value={typed.tip_type}
        onChange={(event) => set({ tip_type: event.target.value as TipType })}
      />
      <div role="status" className="empty:hidden">
        {isVeterinary && (
          <p className="flex gap-3 rounded-control bg-accent-soft p-3.5">
            <Stethoscope aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
            <span>
              <strong>Veterinary tip.</strong> Name the clinic, its phone number and its hours, and
              say whether it takes emergencies. In an emergency, call before you go.
            </span>
          </p>
        )}
      </div>
      <Field
        label={labels.title}
        {...bind('title')}
        maxLength={TIP_TITLE_MAX}
        autoComplete="off"
        required
      />
      <MessageField
        required
        rows={4}
        label={labels.content}
        hint={labels.hint}
        {...bind('content')}
        max={TIP_CONTENT_MAX}
      />
      <Checkbox
        label="Everyone can read it"
        hint="With your name. Otherwise it’s a note for yourself."
        checked={typed.is_public}
        onChange={(is_public) => set({ is_public })}
      />
    </Form>
  );
}
