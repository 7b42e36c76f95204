import { useState, type FormEvent } from 'react';
import {
  BILLING_ADDRESS_MAX,
  createAdvertiser,
  NAME_MAX,
  PHONE_MAX,
} from '#shared/advertisers/contract.ts';
import { call } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Field } from '../ui/field.tsx';
import { optionalLabel } from '../ui/optional-label.tsx';
import { useProblems } from '../use-problems.ts';
import type { Draft } from './draft.ts';
import { problemsIn, unanswered } from './field-problems.ts';

/** Who advertises. */
export function CompanyStep({
  draft,
  change,
  onDone,
}: {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  onDone: () => void;
}) {
  const { company } = draft;
  const { form, words, fields, show, showRefusal, forgive } = useProblems();
  const [saving, setSaving] = useState(false);

  async function save(event: FormEvent) {
    event.preventDefault();
    const body = { ...company, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
    const wrong = createAdvertiser.body ? problemsIn(createAdvertiser.body, body) : null;
    show(wrong?.words ?? '', wrong?.fields);
    if (wrong) return;
    setSaving(true);
    try {
      const { advertiser } = await call(createAdvertiser, { body });
      // What was begun for another email is that one's.
      const isSame = advertiser.id === draft.advertiser_id;
      change({ advertiser_id: advertiser.id, ...(isSame ? {} : { ad: null, request: null }) });
      onDone();
    } catch (error) {
      showRefusal(error, unanswered(createAdvertiser.failure));
      setSaving(false);
    }
  }

  const input = (name: keyof Draft['company']) => ({
    name,
    value: company[name],
    onChange: (event: { target: { value: string } }) => {
      forgive(name);
      change({ company: { ...company, [name]: event.target.value } });
    },
    error: fields[name],
  });
  return (
    <form
      ref={form}
      onSubmit={(event) => void save(event)}
      noValidate
      className="flex flex-col gap-5"
    >
      <p className="text-soft">
        Be seen by the people who walk past with their dogs. No account is needed: we send you a
        link to your own dashboard.
      </p>
      <Field {...input('email')} label="Email" type="email" autoComplete="email" required />
      <Field
        {...input('company_name')}
        label="Company name"
        autoComplete="organization"
        maxLength={NAME_MAX}
        required
      />
      <Field
        {...input('contact_name')}
        label="Contact name"
        autoComplete="name"
        maxLength={NAME_MAX}
        required
      />
      <Field
        {...input('phone')}
        label={optionalLabel('Phone')}
        type="tel"
        autoComplete="tel"
        maxLength={PHONE_MAX}
      />
      <Field
        {...input('billing_address')}
        label={optionalLabel('Billing address')}
        autoComplete="street-address"
        maxLength={BILLING_ADDRESS_MAX}
      />
      {words && <ErrorBanner>{words}</ErrorBanner>}
      <Button type="submit" wide pending={saving && 'Saving…'}>
        Continue
      </Button>
    </form>
  );
}
