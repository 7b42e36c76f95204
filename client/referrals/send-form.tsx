import { Send } from 'lucide-react';
import { useRef, useState, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import {
  createReferral,
  PHONE_MAX,
  PHONE_MIN,
  REFERRAL_MESSAGE_MAX,
  referralFields,
} from '#shared/referrals/contract.ts';
import { missingRecipient } from '#shared/referrals/rules.ts';
import { call } from '../api.ts';
import { CallError } from '../call.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Field } from '../ui/field.tsx';
import { MessageField } from '../ui/message-field.tsx';

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
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState('');
  const [sending, setSending] = useState(false);
  // The same again when an answer is lost, so that the friend gets one invitation; another for other words.
  const attempt = useRef({ of: '', key: '' });
  const form = useRef<HTMLFormElement>(null);

  if (isOff)
    return <p className="text-soft">This site sends no {OFF[method]}. Share your link instead.</p>;

  /** Shows what is wrong, and leads to the first of it. */
  function show(wrong: Record<string, string>): void {
    flushSync(() => setErrors(wrong));
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

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
    setFailure('');
    const wrong = problemsOf(body);
    show(wrong);
    if (Object.keys(wrong).length > 0) return;
    const of = JSON.stringify(body);
    if (attempt.current.of !== of) attempt.current = { of, key: crypto.randomUUID() };
    setSending(true);
    try {
      await call(createReferral, { body, idempotencyKey: attempt.current.key });
      onSent();
    } catch (error) {
      const refusal = error instanceof CallError ? error : null;
      show(refusal?.fields ?? {});
      if (Object.keys(refusal?.fields ?? {}).length === 0)
        setFailure(refusal?.message ?? createReferral.failure);
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
          onChange={(event) => onDraft({ ...draft, email: event.target.value })}
          error={errors['recipient_email']}
          required
        />
      ) : (
        <Field
          label="Friend’s phone number"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          value={draft.phone}
          onChange={(event) => onDraft({ ...draft, phone: event.target.value })}
          error={errors['recipient_phone'] ?? errors['recipient_email']}
          hint={`With area code, ${PHONE_MIN} to ${PHONE_MAX} digits; from abroad with + and country code.`}
          required
        />
      )}
      <MessageField
        value={draft.message}
        onChange={(message) => onDraft({ ...draft, message })}
        max={REFERRAL_MESSAGE_MAX}
        error={errors['message']}
      />
      {failure && <ErrorBanner>{failure}</ErrorBanner>}
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
  const issues = referralFields.safeParse(body).error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]));
}
