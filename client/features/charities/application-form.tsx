import { plainAddress } from '#shared/normalization/email-address.ts';
import { Send } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import {
  APPLICATION_FAILURE,
  applicationFields,
  createCharity,
  LOGO_NO_IMAGE,
} from '#shared/charities/contract.ts';
import { call } from '../../platform/http/api.ts';
import { Form } from '../../platform/forms/form.tsx';
import { requireValid, useSubmit } from '../../platform/forms/use-submit.ts';
import { ImageField } from '../../platform/ui/inputs/image-field.tsx';
import { optionalLabel } from '../../platform/ui/inputs/optional-label.tsx';
import { useObjectUrl } from '../../platform/ui/inputs/use-object-url.ts';
import { usePicture } from '../../platform/pictures/use-picture.ts';
import { readDraft, writeDraft } from './application-draft.ts';
import { bodyOf, problemsIn, type CharityDraft } from './charity-form.ts';
import { charityInput } from './charity-input.tsx';

/** Validates an application; returns a message for each invalid field. */
function problemsOf(draft: CharityDraft): Record<string, string> {
  const wrong = problemsIn(draft, applicationFields);
  const same = plainAddress(draft.contact_email) === plainAddress(draft.confirm_email);
  if (!wrong['contact_email'] && !same) wrong['confirm_email'] = 'Email addresses do not match';
  return wrong;
}

/** A charity's application. @param onDone called with the payment link after it was submitted */
export function ApplicationForm({ onDone }: { onDone: (paymentLink: string) => void }) {
  const [draft, setDraft] = useState(readDraft);
  const chosen = usePicture({ endpoint: createCharity, notAnImage: LOGO_NO_IMAGE });
  const logoUrl = useObjectUrl(chosen.shown);
  const form = useSubmit(
    async (keyFor) => {
      requireValid(problemsOf(draft));
      const body = bodyOf(draft);
      const logo = await chosen.taken();
      const idempotencyKey = keyFor(body, logo?.name, logo?.size, logo?.lastModified);
      await call(createCharity, { body, file: logo, idempotencyKey, failure: APPLICATION_FAILURE });
      writeDraft(null);
      onDone(draft.payment_link.trim());
    },
    { failure: APPLICATION_FAILURE },
  );
  const bind = form.bind(draft, (name: keyof CharityDraft, text) => {
    const next = { ...draft, [name]: text };
    setDraft(next);
    writeDraft(next);
  });
  const input = charityInput(bind);

  return (
    <Form
      form={form}
      submit="Submit application"
      pending="Submitting…"
      Icon={Send}
      className="gap-5"
    >
      <Section title="Basic Information">
        {input('charity_name', 'Charity name', { autoComplete: 'organization' })}
        {input('description', 'Description', {
          hint: 'Describe what you do and who you help. Members read this before they donate.',
        })}
        {input('tax_id', 'Tax ID')}
      </Section>
      <Section title="Contact">
        {input('contact_name', 'Contact name', { autoComplete: 'name' })}
        {input('contact_email', 'Contact email', { autoComplete: 'email' })}
        {input('confirm_email', 'Confirm email', { autoComplete: 'email' })}
        {input('phone', 'Phone', { autoComplete: 'tel' })}
      </Section>
      <Section title="Address">
        {input('address', 'Street', { autoComplete: 'street-address' })}
        {input('city', 'City', { autoComplete: 'address-level2' })}
        <div className="grid gap-4 sm:grid-cols-2">
          {input('state', 'State', { autoComplete: 'address-level1' })}
          {input('zip_code', 'ZIP code', { autoComplete: 'postal-code' })}
        </div>
      </Section>
      <Section title="Online Presence">
        {input('website_url', 'Website', { autoComplete: 'url' })}
        <ImageField
          label={optionalLabel('Logo', ', under 2 MB')}
          noun="logo"
          preview={
            logoUrl && (
              <img
                src={logoUrl}
                alt="Your logo"
                className="size-16 rounded-control border border-line bg-surface object-contain"
              />
            )
          }
          hasImage={chosen.shown !== null}
          error={chosen.problem || form.fields['logo']}
          onChoose={(file) => {
            form.clear('logo');
            chosen.choose(file);
          }}
          remove={{
            label: 'Remove logo',
            onRemove: () => {
              form.clear('logo');
              chosen.clear();
            },
          }}
        />
      </Section>
      <Section title="Payment">
        {input('payment_link', 'Payment link', {
          hint: 'Your own page where people can donate. Donations don’t pass through us.',
        })}
      </Section>
    </Form>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="rounded-card border border-line bg-surface p-4 shadow-lift sm:p-5">
      <legend className="float-left mb-3 w-full text-lg font-bold">{title}</legend>
      <div className="clear-both flex flex-col gap-4">{children}</div>
    </fieldset>
  );
}
