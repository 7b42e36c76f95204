import { toast } from 'sonner';
import {
  AD_REQUIRED,
  createAdvertisement,
  getAdvertisement,
  updateAdvertisement,
  type Advertisement,
} from '#shared/ads/admin-contract.ts';
import type { Placement } from '#shared/ads/contract.ts';
import { PRIORITY_MAX, AD_DESCRIPTION_MAX, AD_TITLE_MAX } from '#shared/ads/rules.ts';
import { fromLocalField, LOCAL_FIELD_MAX, toLocalField } from '../../platform/admin/format.ts';
import { EditForm } from '../../platform/admin/list/edit-form.tsx';
import { useEdit } from '../../platform/admin/list/use-edit.ts';
import { useRowActions } from '../../platform/admin/list/use-row-actions.ts';
import { requireValid } from '../../platform/forms/use-submit.ts';
import { call } from '../../platform/http/api.ts';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { MessageField } from '../../platform/ui/inputs/message-field.tsx';
import { optionalLabel } from '../../platform/ui/inputs/optional-label.tsx';
import { optionsOf, SelectField } from '../../platform/ui/inputs/select-field.tsx';
import { AdImageField } from './ad-image-field.tsx';
import { HOUSE_ADS } from './house-ads.ts';
import { PLACEMENT_DESCRIPTIONS, PLACEMENT_NAMES } from './placement-labels.ts';

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

/** Creates or edits a house ad. */
export function AdForm({ ad, onDone }: { ad: Advertisement | null; onDone: () => void }) {
  const { refresh } = useRowActions(HOUSE_ADS);
  const edit = useEdit({
    row: { ...NEW, version: 0, ...ad },
    draftOf,
    reload: async () => {
      const { advertisement } = await call(getAdvertisement, { params: { id: ad?.id ?? '' } });
      return advertisement;
    },
    async save({ draft: typed, version, isTouched, keyFor }) {
      const missing = (['title', 'target_url'] as const).filter((name) => !typed[name].trim());
      requireValid(Object.fromEntries(missing.map((name) => [name, 'Required'])), AD_REQUIRED);
      const whole = bodyOf(typed);
      const touched = Object.fromEntries(Object.entries(whole).filter(([name]) => isTouched(name)));
      const { advertisement } = ad
        ? await call(updateAdvertisement, { params: { id: ad.id }, body: { ...touched, version } })
        : await call(createAdvertisement, { body: whole, idempotencyKey: keyFor(whole) });
      toast(`“${advertisement.title}” saved`);
      void refresh();
      onDone();
    },
  });
  const { draft } = edit;
  const bind = (name: keyof Draft) => ({ ...edit.bind(name), autoComplete: 'off' });

  return (
    <EditForm edit={edit} labels={LABELS} submit={ad ? 'Save' : 'Create Ad'} onCancel={onDone}>
      <Field label={LABELS.title} {...bind('title')} maxLength={AD_TITLE_MAX} required />
      <MessageField label={LABELS.description} {...bind('description')} max={AD_DESCRIPTION_MAX} />
      <Field
        label={LABELS.target_url}
        type="url"
        inputMode="url"
        placeholder="https://"
        {...bind('target_url')}
        required
      />
      <AdImageField label={LABELS.image_url} {...bind('image_url')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={LABELS.placement}
          options={optionsOf(PLACEMENT_NAMES)}
          hint={PLACEMENT_DESCRIPTIONS[draft.placement as Placement]}
          {...bind('placement')}
        />
        <Field
          label={LABELS.priority}
          type="number"
          inputMode="numeric"
          min={1}
          max={PRIORITY_MAX}
          step={1}
          hint="From 1 to 10. Higher comes first."
          {...bind('priority')}
        />
        <Field
          label={optionalLabel(LABELS.expires_at)}
          type="datetime-local"
          max={LOCAL_FIELD_MAX}
          hint="Leave empty for no expiry. In your time zone."
          {...bind('expires_at')}
        />
        <SelectField label={LABELS.active} options={STATUSES} {...bind('active')} />
      </div>
    </EditForm>
  );
}
