import { useState, type FormEvent } from 'react';
import { toast } from 'sonner';
import {
  AD_REQUIRED,
  createAdvertisement,
  getAdvertisement,
  PRIORITY_MAX,
  updateAdvertisement,
  type Advertisement,
} from '#shared/ads/admin-contract.ts';
import type { Placement } from '#shared/ads/contract.ts';
import { AD_DESCRIPTION_MAX, AD_TITLE_MAX } from '#shared/ads/rules.ts';
import { EditedMeanwhile } from '../admin/edited-meanwhile.tsx';
import { useEdit } from '../admin/use-edit.ts';
import { useRowActions } from '../admin/use-row-actions.ts';
import { fromLocalField, LOCAL_FIELD_MAX, toLocalField } from '../admin/words.ts';
import { call } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Field } from '../ui/field.tsx';
import { MessageField } from '../ui/message-field.tsx';
import { optionsOf, SelectField } from '../ui/select-field.tsx';
import { useRequestKey } from '../use-problems.ts';
import { AdImageField } from './ad-image-field.tsx';
import { PLACEMENT_DESCRIPTIONS, PLACEMENT_NAMES } from './placement-words.ts';
import { HOUSE_ADS } from './ad-kind.ts';

const NEW = {
  title: '',
  description: '',
  image_url: null,
  target_url: '',
  placement: 'banner' as Placement,
  priority: 1,
  active: true,
  expires_at: null,
};
const draftOf = (row: Pick<Advertisement, keyof typeof NEW>) => ({
  title: row.title,
  description: row.description,
  image_url: row.image_url ?? '',
  target_url: row.target_url,
  placement: row.placement as string,
  priority: String(row.priority),
  active: row.active ? 'active' : 'inactive',
  expires_at: toLocalField(row.expires_at),
});
type Draft = ReturnType<typeof draftOf>;
const LABELS: Record<keyof Draft, string> = {
  title: 'Title',
  description: 'Description',
  image_url: 'Image URL',
  target_url: 'Target URL',
  placement: 'Placement',
  priority: 'Priority',
  active: 'Status',
  expires_at: 'Expires',
};
const STATUSES = [
  { value: 'active', name: 'Active' },
  { value: 'inactive', name: 'Inactive' },
];
const bodyOf = (draft: Draft) => ({
  ...draft,
  placement: draft.placement as Placement,
  active: draft.active === 'active',
  expires_at: fromLocalField(draft.expires_at),
});

/** Makes a house ad, or edits one. */
export function AdForm({ ad, onDone }: { ad: Advertisement | null; onDone: () => void }) {
  const { refresh } = useRowActions(HOUSE_ADS);
  const edit = useEdit({ ...NEW, version: 0, ...ad }, draftOf, async () => {
    const { advertisement } = await call(getAdvertisement, { params: { id: ad?.id ?? '' } });
    return advertisement;
  });
  const { form, words, fields, show, refuseHalfTyped, showRefusal, draft, set, isTouched } = edit;
  const { keyFor } = useRequestKey();
  const [isSaving, setIsSaving] = useState(false);
  const text = (name: keyof Draft) => ({
    name,
    value: draft[name],
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
    error: fields[name],
    autoComplete: 'off',
  });

  async function save() {
    const whole = bodyOf(draft);
    if (!ad)
      return (await call(createAdvertisement, { body: whole, idempotencyKey: keyFor(whole) }))
        .advertisement;
    const touched = Object.fromEntries(
      Object.entries(whole).filter(([name]) => isTouched(name as keyof Draft)),
    );
    const body = { ...touched, version: edit.version };
    return (await call(updateAdvertisement, { params: { id: ad.id }, body })).advertisement;
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isSaving || refuseHalfTyped()) return;
    show('');
    if (!draft.title.trim() || !draft.target_url.trim()) {
      show(AD_REQUIRED);
      return;
    }
    setIsSaving(true);
    try {
      const saved = await save();
      toast(`“${saved.title}” is saved`);
      void refresh();
      onDone();
    } catch (error) {
      await showRefusal(error, (ad ? updateAdvertisement : createAdvertisement).failure);
      setIsSaving(false);
    }
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => void submit(event)}
      noValidate
      className="flex flex-col gap-4"
    >
      <EditedMeanwhile
        changes={edit.meanwhile}
        draft={draft}
        labels={LABELS}
        onTake={(field, value) => set(field as keyof Draft, value)}
      />
      <Field label={LABELS.title} {...text('title')} maxLength={AD_TITLE_MAX} required />
      <MessageField
        label={LABELS.description}
        value={draft.description}
        onChange={(value) => set('description', value)}
        max={AD_DESCRIPTION_MAX}
        error={fields['description']}
      />
      <Field
        label={LABELS.target_url}
        type="url"
        inputMode="url"
        placeholder="https://"
        {...text('target_url')}
        required
      />
      <AdImageField
        label={LABELS.image_url}
        value={draft.image_url}
        error={fields['image_url']}
        onChange={(value) => set('image_url', value)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={LABELS.placement}
          options={optionsOf(PLACEMENT_NAMES)}
          hint={PLACEMENT_DESCRIPTIONS[draft.placement as Placement]}
          value={draft.placement}
          onChange={(event) => set('placement', event.target.value)}
        />
        <Field
          label={LABELS.priority}
          type="number"
          inputMode="numeric"
          min={1}
          max={PRIORITY_MAX}
          step={1}
          hint="From 1 to 10. Higher comes first."
          {...text('priority')}
        />
        <Field
          label={LABELS.expires_at}
          type="datetime-local"
          max={LOCAL_FIELD_MAX}
          hint="Empty means never. In your time zone."
          {...text('expires_at')}
        />
        <SelectField
          label={LABELS.active}
          options={STATUSES}
          value={draft.active}
          onChange={(event) => set('active', event.target.value)}
        />
      </div>
      {words && <ErrorBanner>{words}</ErrorBanner>}
      <div className="actions">
        <Button look="secondary" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" wide pending={isSaving && 'Saving…'}>
          {ad ? 'Save' : 'Create Ad'}
        </Button>
      </div>
    </form>
  );
}
