import { Send } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { fieldsOf } from '#shared/endpoint.ts';
import {
  createReferral,
  PHONE_MAX,
  PHONE_MIN,
  REFERRAL_MESSAGE_MAX,
  referralFields,
} from '#shared/referrals/contract.ts';
import { missingRecipient } from '#shared/referrals/rules.ts';
import { call } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { MessageField } from '../ui/message-field.tsx';
import { FormProblem } from '../ui/form-problem.tsx';
import { useProblems, useRequestKey } from '../use-problems.ts';

export interface Draft {
  email: string;
  phone: string;
  message: string;
}

interface SendFormProps {
  method: 'email' | 'sms';
  /** Whether this site cannot send in this way. */
  isOff: boolean;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  onSent: () => void;
}

const OFF = { email: 'emails', sms: 'text messages' };

/** Sends an invitation to an address or a number. */
export function SendForm({ method, isOff, draft, onDraft, onSent }: SendFormProps) {
  const { form, words, fields, isUnanswered, show, showRefusal, forgive } = useProblems();
  const { keyFor } = useRequestKey();
  const [sending, setSending] = useState(false);

  if (isOff)
    return <p className="text-soft">This site sends no {OFF[method]}. Share your link instead.</p>;

  async function send(event: FormEvent) {
    event.preventDefault();
    if (sending) return;
    const body = {
      referral_method: method,
      ...(method === 'email'
        ? { recipient_email: draft.email.trim() }
        : { recipient_phone: draft.phone.trim() }),
      message: draft.message,
    };
    const wrong = problemsOf(body);
    show('', wrong);
    if (Object.keys(wrong).length > 0) return;
    setSending(true);
    try {
      await call(createReferral, { body, idempotencyKey: keyFor(body) });
      onSent();
    } catch (error) {
      showRefusal(error, createReferral.failure);
      setSending(false);
    }
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => void send(event)}
      noValidate
      className="flex flex-col gap-4"
    >
      {method === 'email' ? (
        <Field
          label="Friend’s email"
          type="email"
          inputMode="email"
          autoComplete="off"
          value={draft.email}
          onChange={(event) => {
            onDraft({ ...draft, email: event.target.value });
            forgive('recipient_email');
          }}
          error={fields['recipient_email']}
          required
        />
      ) : (
        <Field
          label="Friend’s phone number"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          value={draft.phone}
          onChange={(event) => {
            onDraft({ ...draft, phone: event.target.value });
            forgive('recipient_phone');
            forgive('recipient_email');
          }}
          error={fields['recipient_phone'] ?? fields['recipient_email']}
          hint={`With area code, ${PHONE_MIN} to ${PHONE_MAX} digits. Outside the US, start with + and the country code.`}
          required
        />
      )}
      <MessageField
        value={draft.message}
        onChange={(message) => {
          onDraft({ ...draft, message });
          forgive('message');
        }}
        max={REFERRAL_MESSAGE_MAX}
        error={fields['message']}
      />
      <FormProblem words={words} isUnanswered={isUnanswered} />
      <Button
        type="submit"
        wide
        pending={sending && 'Sending…'}
        icon={<Send aria-hidden className="size-5" />}
      >
        Send invitation
      </Button>
    </form>
  );
}

/** What is wrong with each field, before anything is sent. */
function problemsOf(body: Parameters<typeof missingRecipient>[0]): Record<string, string> {
  const missing = missingRecipient(body);
  if (missing) return { [missing.field]: missing.message };
  return fieldsOf(referralFields.safeParse(body).error);
}
