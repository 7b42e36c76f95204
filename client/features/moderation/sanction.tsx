import { useEffect, useState, type ReactNode } from 'react';
import { previewOf } from '#shared/chat/rules.ts';
import { type UserWarning, appealWarning } from '#shared/moderation/contract.ts';
import { APPEAL_MAX, APPEAL_MIN } from '#shared/moderation/rules.ts';
import { Form } from '../../platform/forms/form.tsx';
import { useSubmit } from '../../platform/forms/use-submit.ts';
import { call } from '../../platform/http/api.ts';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { MessageField } from '../../platform/ui/inputs/message-field.tsx';
import { useNow } from '../../platform/use-now.ts';
import { REPORT_TYPES } from './admin/labels.ts';
import { isOver, meaningOf, sinceWords, untilWords } from './sanction-text.ts';
import { isAnswered, putWarning } from './use-account-status.ts';

/** More would bury what it leads to. */
const MESSAGE_SHOWN_MAX = 200;

const GuidelinesModal = lazyComponent(() => import('./guidelines-modal.tsx'));

/** A sanction with its reason, its end, and its appeal. @param children before the form of an appeal, which has a button of its own; after an appeal */
export function Sanction({
  warning,
  userId,
  children,
}: {
  warning: UserWarning;
  userId: string;
  children?: ReactNode;
}) {
  const now = useNow();
  const isPast = isOver(warning, now);
  const until = isPast ? null : untilWords(warning);
  const mayAppeal = !warning.lifted_at && !(isPast && !warning.appeal);
  const hasAnswer = isAnswered(warning);
  return (
    <div className="flex flex-col gap-3">
      <blockquote className="border-l-4 border-line-strong pl-3 break-words whitespace-pre-wrap">
        {warning.reason}
      </blockquote>
      {warning.about && <AboutSanction about={warning.about} />}
      {warning.lifted_at ? (
        !hasAnswer && <p className="font-bold">A moderator revoked this.</p>
      ) : (
        <p>
          {until && <b>{until}. </b>}
          {meaningOf(warning, now)}
        </p>
      )}
      <p className="text-sm text-soft">
        {warning.issued_by_admin ? 'Issued by a moderator' : 'Issued automatically'},{' '}
        {sinceWords(warning)}
      </p>
      <GuidelinesLink />
      {!warning.appeal && children}
      {(hasAnswer || mayAppeal) && <Appeal warning={warning} userId={userId} />}
      {warning.appeal && children}
    </div>
  );
}

/** The rule that a decision is about, and the message. */
function AboutSanction({
  about: { report_type, message_text },
}: Required<Pick<UserWarning, 'about'>>) {
  return (
    <p className="break-words">
      <span>It’s about </span>
      <b>{REPORT_TYPES[report_type]}</b>
      {message_text === null ? (
        <span>.</span>
      ) : (
        <span>{` in your message “${previewOf(message_text, MESSAGE_SHOWN_MAX)}”`}</span>
      )}
    </p>
  );
}

/** Leads to the rules, beside the decision about them. */
function GuidelinesLink() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" className="-ml-5 self-start" onClick={() => setOpen(true)}>
        Read the guidelines
      </Button>
      {isOpen && <GuidelinesModal onClose={() => setOpen(false)} />}
    </>
  );
}

/** The status of an appeal, or the form for a new one. */
function Appeal({ warning, userId }: { warning: UserWarning; userId: string }) {
  const [isOpen, setOpen] = useState(false);
  const { appeal } = warning;
  if (appeal)
    return (
      <div className="rounded-control bg-sunken p-3" role="status">
        <p className="font-bold">
          {appeal.status === 'pending' && (
            <span>You appealed. A moderator will look at it again.</span>
          )}
          {appeal.status === 'upheld' && (
            <span>A moderator reviewed it and upheld the decision.</span>
          )}
          {appeal.status === 'lifted' && (
            <span>A moderator reviewed it and withdrew the decision.</span>
          )}
        </p>
        {appeal.answer && <p className="mt-1 break-words whitespace-pre-wrap">{appeal.answer}</p>}
      </div>
    );
  if (isOpen) return <AppealForm warning={warning} userId={userId} />;
  return (
    <Button look="quiet" className="-ml-5 self-start" onClick={() => setOpen(true)}>
      Appeal
    </Button>
  );
}

function AppealForm({ warning, userId }: { warning: UserWarning; userId: string }) {
  const [text, setText] = useState('');
  const form = useSubmit(async (keyFor) => {
    const params = { id: warning.id };
    const body = { text: text.trim() };
    const answer = await call(appealWarning, {
      params,
      body,
      idempotencyKey: keyFor(params, body),
    });
    putWarning(userId, answer.warning);
  });
  const { ref } = form;
  useEffect(() => ref.current?.querySelector('textarea')?.focus(), [ref]);

  return (
    <Form
      form={form}
      submit="Send appeal"
      pending="Sending…"
      disabled={text.trim().length < APPEAL_MIN}
      checks
      className="gap-2"
    >
      <MessageField
        label="Why should we reverse this?"
        rows={4}
        required
        min={APPEAL_MIN}
        max={APPEAL_MAX}
        value={text}
        onChange={setText}
      />
    </Form>
  );
}
