import { CircleCheck, HeartHandshake } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import {
  charityFields,
  createCharity,
  FIELDS_MISSING,
  REQUIRED_FIELDS,
  SUGGESTION_UNANSWERED,
  type RequiredField,
} from '#shared/charities/contract.ts';
import { Form } from '../../platform/forms/form.tsx';
import { requireValid, useSubmit } from '../../platform/forms/use-submit.ts';
import { call } from '../../platform/http/api.ts';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import {
  bodyOf,
  charityDraft,
  EMPTY_DRAFT,
  problemsIn,
  type CharityDraft,
} from './charity-form.ts';
import { CharityAddress, charityInput } from './charity-input.tsx';

const REQUIRED = Object.keys(REQUIRED_FIELDS) as RequiredField[];

/** Cache entry of the draft. */
const DRAFT = 'charity-suggestion';

/** A member's suggestion of a charity. */
export function SuggestCharity() {
  const userId = useUser()?.id ?? '';
  const [draft, setDraft] = useState(() => readCache(charityDraft, userId, DRAFT) ?? EMPTY_DRAFT);
  const [isDone, setDone] = useState(false);
  const thanks = useRef<HTMLParagraphElement>(null);
  // On a phone it is below the visible area.
  useEffect(() => {
    if (isDone) thanks.current?.scrollIntoView({ block: 'center' });
  }, [isDone]);

  const form = useSubmit(
    async (keyFor) => {
      // Already sent by an earlier press.
      if (isDone) return;
      const missing = REQUIRED.filter((name) => draft[name].trim() === '');
      const wrong = problemsIn(draft, charityFields);
      for (const name of missing) wrong[name] = 'Required';
      requireValid(wrong, missing.length > 0 ? FIELDS_MISSING : '');
      const body = bodyOf(draft);
      await call(createCharity, { body, idempotencyKey: keyFor(body) });
      setDraft(EMPTY_DRAFT);
      writeCache(userId, DRAFT, null);
      setDone(true);
    },
    { failure: SUGGESTION_UNANSWERED, staysOpen: true },
  );
  const bind = form.bind(draft, (name: keyof CharityDraft, typed) => {
    setDone(false);
    const next = { ...draft, [name]: typed };
    setDraft(next);
    writeCache(userId, DRAFT, next);
  });
  const input = charityInput(bind);

  return (
    <Form
      form={form}
      submit="Suggest charity"
      pending="Sending…"
      Icon={HeartHandshake}
      className="mx-auto w-full max-w-xl gap-4 rounded-card border border-line bg-surface p-4 shadow-lift sm:p-5"
      footer={
        <div role="status" className="empty:hidden">
          {isDone && (
            <p
              ref={thanks}
              className="flex items-center gap-3 rounded-control border-2 border-accent bg-accent-soft p-4 font-bold"
            >
              <CircleCheck aria-hidden className="size-6 shrink-0 text-accent" />
              Thank you for your charity suggestion! It will be reviewed and added if approved.
            </p>
          )}
        </div>
      }
    >
      <p className="text-soft">
        Do you know a charity that helps dogs? We review it before members can see it.
      </p>
      {input('charity_name', 'Charity name')}
      {input('description', 'What it does')}
      {input('contact_name', 'Contact name')}
      {input('contact_email', 'Contact email', { autoComplete: 'off' })}
      {input('payment_link', 'Donation link', {
        hint: 'The charity’s own page where people can donate.',
      })}
      {input('website_url', 'Website')}
      {input('phone', 'Phone', { autoComplete: 'off' })}
      {input('tax_id', 'Tax ID')}
      <CharityAddress input={input} />
    </Form>
  );
}
