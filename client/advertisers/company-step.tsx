import type { FormEvent } from 'react';
import { BILLING_ADDRESS_MAX, NAME_MAX, PHONE_MAX } from '#shared/advertisers/contract.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Field } from '../ui/field.tsx';
import { optionalLabel } from '../ui/optional-label.tsx';
import { useProblems } from '../use-problems.ts';
import type { Draft } from './draft.ts';
import { companyProblems } from './field-problems.ts';

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
  const { form, words, fields, show, forgive } = useProblems();

  function check(event: FormEvent) {
    event.preventDefault();
    const wrong = companyProblems(draft);
    show(wrong?.words ?? '', wrong?.fields);
    if (!wrong) onDone();
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
    <form ref={form} onSubmit={check} noValidate className="flex flex-col gap-5">
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
      <Button type="submit" wide>
        Continue
      </Button>
    </form>
  );
}
