import { Send } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import {
  APPLICATION_FAILURE,
  applicationFields,
  CHARITY_DESCRIPTION_MAX,
  CHARITY_NAME_MAX,
  CHARITY_TEXT_MAX,
  createCharity,
  LOGO_NO_IMAGE,
} from '#shared/charities/contract.ts';
import { call } from '../http/api.ts';
import { Form } from '../forms/form.tsx';
import { requireValid, useSubmit } from '../forms/use-submit.ts';
import { Field } from '../ui/field.tsx';
import { ImageField } from '../ui/image-field.tsx';
import { optionalLabel } from '../ui/optional-label.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { useObjectUrl } from '../ui/use-object-url.ts';
import { readDraft, writeDraft } from './application-draft.ts';
import { bodyOf, problemsIn, type CharityDraft } from './charity-form.ts';

/** What is wrong with each field of an application, before it is sent. */
function problemsOf(draft: CharityDraft): Record<string, string> {
  const wrong = problemsIn(draft, applicationFields);
  const same =
    draft.contact_email.trim().toLowerCase() === draft.confirm_email.trim().toLowerCase();
  if (!wrong['contact_email'] && !same) wrong['confirm_email'] = 'Email addresses do not match';
  return wrong;
}

/** A charity's application. @param onDone with the payment link, once it is in */
export function ApplicationForm({ onDone }: { onDone: (paymentLink: string) => void }) {
  const [draft, setDraft] = useState(readDraft);
  const [logo, setLogo] = useState<File | null>(null);
  const logoUrl = useObjectUrl(logo);
  const form = useSubmit(
    async (keyFor) => {
      requireValid(problemsOf(draft));
      const body = bodyOf(draft);
      const idempotencyKey = keyFor(body, logo?.name, logo?.size, logo?.lastModified);
      await call(createCharity, { body, file: logo, idempotencyKey, failure: APPLICATION_FAILURE });
      writeDraft(null);
      onDone(draft.payment_link.trim());
    },
    { failure: APPLICATION_FAILURE },
  );
  const field = form.bind(draft, (name: keyof CharityDraft, text) => {
    const next = { ...draft, [name]: text };
    setDraft(next);
    writeDraft(next);
  });

  function pickLogo(file: File | null): void {
    form.clear('logo');
    setLogo(file);
  }

  return (
    <Form
      form={form}
      submit="Submit application"
      pending="Submitting…"
      icon={<Send aria-hidden className="size-5 shrink-0" />}
      className="gap-5"
    >
      <Section title="Basic Information">
        <Field
          label="Charity name"
          autoComplete="organization"
          maxLength={CHARITY_NAME_MAX}
          required
          {...field('charity_name')}
        />
        <TextArea
          label="Description"
          hint="What you do, and for whom. Members read it before they give."
          maxLength={CHARITY_DESCRIPTION_MAX}
          required
          {...field('description')}
        />
        <Field
          label={optionalLabel('Tax ID')}
          maxLength={CHARITY_TEXT_MAX.tax_id}
          {...field('tax_id')}
        />
      </Section>
      <Section title="Contact">
        <Field
          label="Contact name"
          autoComplete="name"
          maxLength={CHARITY_TEXT_MAX.contact_name}
          required
          {...field('contact_name')}
        />
        <Field
          label="Contact email"
          type="email"
          inputMode="email"
          autoComplete="email"
          required
          {...field('contact_email')}
        />
        <Field
          label="Confirm email"
          type="email"
          inputMode="email"
          autoComplete="email"
          required
          {...field('confirm_email')}
        />
        <Field
          label={optionalLabel('Phone')}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={CHARITY_TEXT_MAX.phone}
          {...field('phone')}
        />
      </Section>
      <Section title="Address">
        <Field
          label={optionalLabel('Street')}
          autoComplete="street-address"
          maxLength={CHARITY_TEXT_MAX.address}
          {...field('address')}
        />
        <Field
          label={optionalLabel('City')}
          autoComplete="address-level2"
          maxLength={CHARITY_TEXT_MAX.city}
          {...field('city')}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={optionalLabel('State')}
            autoComplete="address-level1"
            maxLength={CHARITY_TEXT_MAX.state}
            {...field('state')}
          />
          <Field
            label={optionalLabel('ZIP code')}
            autoComplete="postal-code"
            maxLength={CHARITY_TEXT_MAX.zip_code}
            {...field('zip_code')}
          />
        </div>
      </Section>
      <Section title="Online Presence">
        <Field
          label={optionalLabel('Website')}
          type="url"
          inputMode="url"
          autoComplete="url"
          placeholder="https://"
          {...field('website_url')}
        />
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
          hasImage={logo !== null}
          endpoint={createCharity}
          notAnImage={LOGO_NO_IMAGE}
          error={form.fields['logo']}
          onChoose={pickLogo}
          remove={{ label: 'Remove logo', onRemove: () => pickLogo(null) }}
        />
      </Section>
      <Section title="Payment">
        <Field
          label="Payment link"
          type="url"
          inputMode="url"
          placeholder="https://"
          hint="Your own page where people can give. Nothing that is given passes through us."
          required
          {...field('payment_link')}
        />
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
