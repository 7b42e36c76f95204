import { Stethoscope } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { fieldsOf } from '#shared/endpoint.ts';
import { createTip, tipFields, updateTip, type TipFields } from '#shared/locations/contract.ts';
import {
  TIP_CONTENT_MAX,
  TIP_TITLE_MAX,
  type LocationTip,
  type TipType,
} from '#shared/locations/shapes.ts';
import { useContentFilter } from '../moderation/use-content-filter.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Field } from '../ui/field.tsx';
import { MessageField } from '../ui/message-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { useProblems } from '../use-problems.ts';
import { choicesOf, TIP_KINDS } from './kinds.ts';
import { Tick } from '../ui/tick.tsx';
import { usePlaceActions } from './use-place-actions.ts';

const LABELS = {
  usual: { title: 'Title', content: 'Your tip', hint: 'What should others know?' },
  veterinary: {
    title: 'Clinic or veterinarian',
    content: 'Details for an emergency',
    hint: 'Address, phone, hours, and what they treat.',
  },
};

/** Leaves a tip about a place, or changes one's own. */
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
  const { form, words, fields, show, forgive } = useProblems();
  const filter = useContentFilter();
  const [typed, setTyped] = useState<Required<TipFields>>({
    tip_type: edited?.tip_type ?? 'general',
    title: edited?.title ?? '',
    content: edited?.content ?? '',
    is_public: edited?.is_public ?? true,
  });
  const set = (more: Partial<typeof typed>) => {
    setTyped((before) => ({ ...before, ...more }));
    for (const name of Object.keys(more)) forgive(name);
  };
  const isVeterinary = typed.tip_type === 'veterinary';
  const labels = isVeterinary ? LABELS.veterinary : LABELS.usual;

  async function save(event: FormEvent) {
    event.preventDefault();
    const parsed = tipFields.safeParse(typed);
    show('', fieldsOf(parsed.error));
    if (!parsed.success) return;
    const { is_public, title, content } = typed;
    const refused = filter('location_tip', is_public ? { title, content } : {});
    if (Object.keys(refused).length > 0) return void show('', refused);
    try {
      await (edited ? editTip(edited.id, parsed.data) : addTip(placeId, parsed.data));
      onDone();
    } catch (error) {
      console.error('The tip was not kept', error);
      show((edited ? updateTip : createTip).failure);
    }
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => void save(event)}
      noValidate
      className="flex flex-col gap-4"
    >
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
        value={typed.title}
        onChange={(event) => set({ title: event.target.value })}
        error={fields['title']}
        maxLength={TIP_TITLE_MAX}
        autoComplete="off"
        required
      />
      <MessageField
        required
        rows={4}
        label={labels.content}
        hint={labels.hint}
        value={typed.content}
        onChange={(content) => set({ content })}
        max={TIP_CONTENT_MAX}
        error={fields['content']}
      />
      <Tick
        label="Everyone can read it"
        hint="Otherwise it is a note for yourself."
        checked={typed.is_public}
        onChange={(is_public) => set({ is_public })}
      />
      {words && <ErrorBanner>{words}</ErrorBanner>}
      <div className="actions">
        <Button look="secondary" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" wide>
          {edited ? 'Save' : 'Add Tip'}
        </Button>
      </div>
    </form>
  );
}
