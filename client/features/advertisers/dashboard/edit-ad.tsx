import { useState } from 'react';
import { AD_DESCRIPTION_MAX } from '#shared/ads/rules.ts';
import { listingText, timedAdText } from '#shared/advertisers/contract.ts';
import type { Listing, TimedAd } from '#shared/advertisers/dashboard-contract.ts';
import { Form } from '../../../platform/forms/form.tsx';
import { useSubmit } from '../../../platform/forms/use-submit.ts';
import { Field } from '../../../platform/ui/inputs/field.tsx';
import { MessageField } from '../../../platform/ui/inputs/message-field.tsx';
import { optionalLabel } from '../../../platform/ui/inputs/optional-label.tsx';
import { LISTING_INPUTS, TIMED_INPUTS } from '../ad-inputs.ts';
import { requireSchema } from '../require-schema.ts';
import type { DashboardActions } from './use-dashboard-actions.ts';

/** Edits the texts of an ad. */
export function EditAd({
  ad,
  acts,
  onDone,
}: {
  ad: TimedAd | Listing;
  acts: DashboardActions;
  onDone: () => void;
}) {
  const inputs = 'title' in ad ? TIMED_INPUTS : LISTING_INPUTS;
  // Starts from a pending change, if any.
  const newest = ad.proposed ?? (ad as unknown as Record<string, string | null>);
  const [texts, setTexts] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      [...inputs.map(({ name }) => name), 'description'].map((name) => [name, newest[name] ?? '']),
    ),
  );
  const form = useSubmit(async () => {
    requireSchema('title' in ad ? timedAdText : listingText, texts);
    if ('title' in ad) await acts.saveTimed(ad, timedAdText.parse(texts));
    else await acts.saveListing(ad, listingText.parse(texts));
    onDone();
  });
  const field = form.bind(texts, (name, text) => setTexts({ ...texts, [name]: text }));

  return (
    <Form form={form} submit="Save" onCancel={onDone}>
      {inputs.map(({ name, label, max, type, isOptional = false }) => (
        <Field
          key={name}
          label={isOptional ? optionalLabel(label) : label}
          required={!isOptional}
          type={type ?? 'text'}
          {...field(name)}
          maxLength={max}
        />
      ))}
      <MessageField
        label="Description"
        {...field('description')}
        max={AD_DESCRIPTION_MAX}
        required
      />
    </Form>
  );
}
