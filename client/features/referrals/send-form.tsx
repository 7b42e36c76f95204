import { Send } from 'lucide-react';
import { createReferral, referralFields } from '#shared/referrals/contract.ts';
import {
  PHONE_MAX,
  PHONE_MIN,
  REFERRAL_MESSAGE_MAX,
  missingRecipient,
} from '#shared/referrals/rules.ts';
import { Form } from '../../platform/forms/form.tsx';
import { parseForm, requireValid, useSubmit } from '../../platform/forms/use-submit.ts';
import { call } from '../../platform/http/api.ts';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { MessageField } from '../../platform/ui/inputs/message-field.tsx';

export interface Draft {
  email: string;
  phone: string;
  message: string;
}

interface SendFormProps {
  method: 'email' | 'sms';
  /** Whether this site can't send by this method. */
  isOff: boolean;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  onSent: () => void;
}

const OFF = { email: 'emails', sms: 'text messages' };

/** Sends an invitation by email or SMS. */
export function SendForm({ method, isOff, draft, onDraft, onSent }: SendFormProps) {
  const form = useSubmit(async (keyFor) => {
    const body = {
      referral_method: method,
      ...(method === 'email'
        ? { recipient_email: draft.email.trim() }
        : { recipient_phone: draft.phone.trim() }),
      message: draft.message,
    };
    const missing = missingRecipient(body);
    requireValid(missing ? { [missing.field]: missing.message } : {});
    parseForm(referralFields, body);
    await call(createReferral, { body, idempotencyKey: keyFor(body) });
    onSent();
  });
  const { fields, clear } = form;

  if (isOff)
    return (
      <p className="text-soft">This site can’t send {OFF[method]}. Share your link instead.</p>
    );

  return (
    <Form form={form} submit="Send invitation" pending="Sending…" Icon={Send}>
      {method === 'email' ? (
        <Field
          label="Friend’s email"
          type="email"
          inputMode="email"
          autoComplete="off"
          value={draft.email}
          onChange={(event) => {
            onDraft({ ...draft, email: event.target.value });
            clear('recipient_email');
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
            clear('recipient_phone', 'recipient_email');
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
          clear('message');
        }}
        max={REFERRAL_MESSAGE_MAX}
        error={fields['message']}
      />
    </Form>
  );
}
