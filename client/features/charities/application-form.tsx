import { Send } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { withScheme } from '#shared/ads/rules.ts';
import {
  APPLICATION_FAILURE,
  applicationFields,
  createCharity,
  LOGO_NO_IMAGE,
  type PublicCharity,
} from '#shared/charities/contract.ts';
import { plainAddress } from '#shared/normalization/email-address.ts';
import { Form } from '../../platform/forms/form.tsx';
import { requireValid, useSubmit } from '../../platform/forms/use-submit.ts';
import { CallError } from '../../platform/http/api-client.ts';
import { call } from '../../platform/http/api.ts';
import { usePicture } from '../../platform/pictures/use-picture.ts';
import { ImageField } from '../../platform/ui/inputs/image-field.tsx';
import { optionalLabel } from '../../platform/ui/inputs/optional-label.tsx';
import { useObjectUrl } from '../../platform/ui/inputs/use-object-url.ts';
import { showFromTop } from '../../platform/ui/navigation/show-from-top.ts';
import { readDraft, writeDraft } from './application-draft.ts';
import { bodyOf, problemsIn, type CharityDraft } from './charity-form.ts';
import { CharityAddress, charityInput } from './charity-input.tsx';
import { CharityPresentation } from './page/charity-presentation.tsx';

/** Validates an application; returns a message for each invalid field. */
function problemsOf(draft: CharityDraft): Record<string, string> {
  const wrong = problemsIn(draft, applicationFields);
  const same = plainAddress(draft.contact_email) === plainAddress(draft.confirm_email);
  if (!wrong['contact_email'] && !same) wrong['confirm_email'] = 'Email addresses do not match';
  return wrong;
}

/** The steps, each with its fields. */
const STEPS = [
  { title: 'Your charity', fields: ['charity_name', 'description', 'tax_id'] },
  {
    title: 'How to reach you',
    fields: [
      'contact_name',
      'contact_email',
      'confirm_email',
      'phone',
      'address',
      'city',
      'state',
      'zip_code',
    ],
  },
  { title: 'Your page', fields: ['website_url', 'logo', 'payment_link'] },
] as const;
const LAST = STEPS.length - 1;

const stepOf = (fields: object): number =>
  STEPS.findIndex(({ fields: own }) => own.some((name) => name in fields));

/** A charity's application in steps, with a preview at the end. @param onDone called with the payment link after it was submitted */
export function ApplicationForm({ onDone }: { onDone: (paymentLink: string) => void }) {
  const [draft, setDraft] = useState(readDraft);
  const [step, setStep] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const chosen = usePicture({ endpoint: createCharity, notAnImage: LOGO_NO_IMAGE });
  const logoUrl = useObjectUrl(chosen.shown);
  const go = (to: number) => {
    flushSync(() => setStep(to));
    showFromTop(heading.current);
  };
  const form = useSubmit(
    async (keyFor) => {
      const problems = problemsOf(draft);
      const own = Object.entries(problems).filter(([name]) => stepOf({ [name]: '' }) <= step);
      const wrong = Object.fromEntries(own);
      // An earlier step can be wrong when the rules have changed since.
      if (own.length > 0 && stepOf(wrong) < step) flushSync(() => setStep(stepOf(wrong)));
      requireValid(wrong);
      if (step < LAST) return go(step + 1);
      const body = bodyOf(draft);
      const logo = await chosen.taken();
      const idempotencyKey = keyFor(body, logo?.name, logo?.size, logo?.lastModified);
      try {
        await call(createCharity, {
          body,
          file: logo,
          idempotencyKey,
          failure: APPLICATION_FAILURE,
        });
      } catch (error) {
        // Shows what the server refuses where it was entered.
        const at = error instanceof CallError ? stepOf(error.fields) : -1;
        if (at >= 0) flushSync(() => setStep(at));
        throw error;
      }
      writeDraft(null);
      onDone(withScheme(draft.payment_link.trim()));
    },
    { failure: APPLICATION_FAILURE, staysOpen: true },
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
      submit={step < LAST ? 'Continue' : 'Submit application'}
      pending="Submitting…"
      Icon={step < LAST ? undefined : Send}
      onCancel={step > 0 ? () => go(step - 1) : undefined}
      cancel="Back"
      className="gap-5"
    >
      {/* The sections below have titles. */}
      <h2 ref={heading} tabIndex={-1} className="text-soft">
        Step {step + 1} of {STEPS.length}
        <span className="sr-only">: {STEPS[step]?.title}</span>
      </h2>
      {step === 0 && (
        <Section title="Basic Information">
          {input('charity_name', 'Charity name', { autoComplete: 'organization' })}
          {input('description', 'Description', {
            hint: 'Describe what you do and who you help. Members read this before they donate.',
          })}
          {input('tax_id', 'Tax ID')}
        </Section>
      )}
      {step === 1 && (
        <>
          <Section title="Contact">
            {input('contact_name', 'Contact name', { autoComplete: 'name' })}
            {input('contact_email', 'Contact email', {
              hint: 'You get a link there to change your page. Only we see the address.',
              autoComplete: 'email',
            })}
            {input('confirm_email', 'Confirm email', { autoComplete: 'email' })}
            {input('phone', 'Phone', { autoComplete: 'tel' })}
          </Section>
          <Section title="Address">
            <CharityAddress input={input} isOwn />
          </Section>
        </>
      )}
      {step === LAST && (
        <>
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
          <section
            aria-label="Preview"
            className="rounded-card border border-dashed border-line-strong p-4"
          >
            <p className="mb-3 text-sm text-soft">
              Your page, once we’ve verified it. You can add a story, a goal and news later.
            </p>
            <CharityPresentation charity={previewOf(draft)} logoUrl={logoUrl} level="h3" />
          </section>
        </>
      )}
    </Form>
  );
}

/** The charity as its page will show it. */
function previewOf(draft: CharityDraft): PublicCharity {
  const textOf = (name: keyof CharityDraft) => draft[name].trim() || null;
  return {
    id: '',
    charity_name: textOf('charity_name') ?? 'Your charity',
    description: draft.description,
    website_url: textOf('website_url'),
    tax_id: textOf('tax_id'),
    address: textOf('address'),
    city: textOf('city'),
    state: textOf('state'),
    zip_code: textOf('zip_code'),
    payment_link: withScheme(draft.payment_link.trim()),
    logo_key: null,
    is_verified: false,
    is_active: true,
    donation_count: 0,
    total_donated_cents: 0,
    story: null,
    goal_cents: null,
    updates: [],
    distance_miles: null,
    created_at: '',
  };
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="rounded-card border border-line bg-surface p-4 shadow-lift sm:p-5">
      <legend className="float-left mb-3 w-full text-lg font-bold">{title}</legend>
      <div className="clear-both flex flex-col gap-4">{children}</div>
    </fieldset>
  );
}
