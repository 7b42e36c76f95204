import { Send } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import {
  APPLICATION_FAILURE,
  applicationFields,
  CHARITY_DESCRIPTION_MAX,
  CHARITY_NAME_MAX,
  CHARITY_TEXT_MAX,
  createCharity,
  LOGO_NO_IMAGE,
} from '#shared/charities/contract.ts';
import { call } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { imageProblem } from '../ui/image-problem.ts';
import { optionalLabel } from '../ui/optional-label.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { FormProblem } from '../ui/form-problem.tsx';
import { useProblems, useRequestKey } from '../use-problems.ts';
import { readDraft, writeDraft } from './application-draft.ts';
import { bodyOf, problemsIn, type CharityDraft } from './charity-form.ts';
import { LogoField } from './logo-field.tsx';

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
  const { form, words, fields, isUnanswered, show, showRefusal, forgive } = useProblems();
  const { keyFor } = useRequestKey();
  const [logo, setLogo] = useState<File | null>(null);
  const [isSending, setSending] = useState(false);

  const field = (name: keyof CharityDraft) => ({
    value: draft[name],
    onChange: (event: { target: { value: string } }) => {
      const next = { ...draft, [name]: event.target.value };
      setDraft(next);
      writeDraft(next);
      forgive(name);
    },
    error: fields[name],
  });

  function pickLogo(file: File | null): void {
    const problem = file ? imageProblem(file, createCharity, LOGO_NO_IMAGE) : '';
    if (problem) show('', { ...fields, logo: problem });
    else forgive('logo');
    setLogo(problem ? null : file);
  }

  async function send(event: FormEvent) {
    event.preventDefault();
    if (isSending) return;
    const wrong = problemsOf(draft);
    show('', wrong);
    if (Object.keys(wrong).length > 0) return;
    const body = bodyOf(draft);
    setSending(true);
    try {
      const idempotencyKey = keyFor(body, logo?.name, logo?.size, logo?.lastModified);
      await call(createCharity, { body, file: logo, idempotencyKey, failure: APPLICATION_FAILURE });
      writeDraft(null);
      onDone(draft.payment_link.trim());
    } catch (error) {
      showRefusal(error, APPLICATION_FAILURE);
      setSending(false);
    }
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => void send(event)}
      noValidate
      className="flex flex-col gap-5"
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
        <LogoField logo={logo} error={fields['logo']} onPick={pickLogo} />
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
      <FormProblem words={words} isUnanswered={isUnanswered} />
      <Button
        type="submit"
        wide
        pending={isSending && 'Submitting…'}
        icon={<Send aria-hidden className="size-5 shrink-0" />}
      >
        Submit application
      </Button>
    </form>
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
