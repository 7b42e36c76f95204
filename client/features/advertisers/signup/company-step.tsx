import { createAdvertiser } from '#shared/advertisers/contract.ts';
import { BILLING_ADDRESS_MAX, NAME_MAX, PHONE_MAX } from '#shared/advertisers/rules.ts';
import { Form } from '../../../platform/forms/form.tsx';
import { useSubmit } from '../../../platform/forms/use-submit.ts';
import { Field } from '../../../platform/ui/inputs/field.tsx';
import { optionalLabel } from '../../../platform/ui/inputs/optional-label.tsx';
import { requireSchema } from '../require-schema.ts';
import { companyOf, type Draft } from './draft.ts';

/** The step for the company's details. */
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
  const form = useSubmit(() => {
    requireSchema(createAdvertiser.body, companyOf(draft));
    onDone();
  });
  const input = form.bind(company, (name, text) =>
    change({ company: { ...company, [name]: text } }),
  );
  return (
    <Form form={form} submit="Continue" className="gap-5">
      <p className="text-soft">
        Reach the people who walk past with their dogs. You don’t need an account: we’ll email you a
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
    </Form>
  );
}
