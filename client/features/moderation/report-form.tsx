import { useState, type ReactNode } from 'react';
import { toast } from 'sonner';
import { reportMessage, reportType, type ReportType } from '#shared/moderation/contract.ts';
import { REPORT_DESCRIPTION_MAX, REPORT_DESCRIPTION_MIN } from '#shared/moderation/rules.ts';
import { Form } from '../../platform/forms/form.tsx';
import { InvalidForm, useSubmit } from '../../platform/forms/use-submit.ts';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import type { CallInput } from '../../platform/sync/outbox/outbox-calls.ts';
import { sendSoon } from '../../platform/sync/outbox/send-soon.ts';
import { MessageField } from '../../platform/ui/inputs/message-field.tsx';
import { SelectField } from '../../platform/ui/inputs/select-field.tsx';
import { REPORT_TYPES } from './admin/labels.ts';

const OPTIONS = [
  { value: '', name: 'Choose a reason', disabled: true },
  ...reportType.options.map((value) => ({ value, name: REPORT_TYPES[value] })),
];

type Documents = NonNullable<ReturnType<typeof useDocuments>>;
type Reasons = { report_type: ReportType; description: string };

/** What a report is about. */
export type Reported =
  | { type: 'message'; id: string; text: string }
  | { type: 'person' }
  | { type: 'picture'; image_key: string }
  | { type: 'friend_request'; request_id: string }
  | { type: 'planned_walk'; planned_walk_id: string };

function bodyOf(
  reported: Exclude<Reported, { type: 'message' }>,
  reported_user_id: string,
  reasons: Reasons,
): CallInput<'reports.content'>['body'] {
  switch (reported.type) {
    case 'person':
      return { subject_type: 'person', reported_user_id, ...reasons };
    case 'picture': {
      const { image_key } = reported;
      return { subject_type: 'picture', reported_user_id, image_key, ...reasons };
    }
    case 'friend_request': {
      const { request_id } = reported;
      return { subject_type: 'friend_request', reported_user_id, request_id, ...reasons };
    }
    case 'planned_walk': {
      const { planned_walk_id } = reported;
      return { subject_type: 'planned_walk', reported_user_id, planned_walk_id, ...reasons };
    }
  }
}

function send(
  documents: Documents,
  person: { user_id: string; name: string },
  reported: Reported,
  reasons: Reasons,
): Promise<unknown> {
  const { user_id: reported_user_id, name } = person;
  if (reported.type !== 'message')
    return sendSoon(
      documents,
      'reports.content',
      { body: bodyOf(reported, reported_user_id, reasons) },
      name,
    );
  const { id: message_id, text: message_text } = reported;
  return sendSoon(
    documents,
    'reports.create',
    { body: { reported_user_id, message_id, ...reasons, message_text } },
    name,
  );
}

/** Reports another user's content; sent to the moderators when online. */
export function ReportForm({
  reported,
  person,
  question,
  children,
  onDone,
  onBlock,
}: {
  reported: Reported;
  /** The reported person. */
  person: { user_id: string; name: string };
  question: string;
  /** The reported content. */
  children?: ReactNode;
  onDone: () => void;
  /** Asks whether to block the person, too. */
  onBlock?: (() => void) | undefined;
}) {
  const documents = useDocuments();
  const [type, setType] = useState<ReportType | ''>('');
  const [description, setDescription] = useState('');
  const trimmed = description.trim();
  const isComplete = type !== '' && trimmed.length >= REPORT_DESCRIPTION_MIN;

  const form = useSubmit(
    async () => {
      if (type === '' || !documents) throw new InvalidForm({}, reportMessage.failure);
      const fields = { report_type: type, description: trimmed };
      const answered = await send(documents, person, reported, fields);
      const action = onBlock && { label: `Block ${person.name}`, onClick: onBlock };
      if (answered === 'done')
        toast.success('Report submitted', {
          description: 'Our moderators will review it.',
          ...(action && { action }),
        });
      else if (answered === 'waiting')
        toast('Report saved on this device', {
          description: 'We’ll send it as soon as we can.',
          ...(action && { action }),
        });
      onDone();
    },
    {
      onError(error) {
        console.error(reportMessage.failure, error);
        toast.error(reportMessage.failure);
      },
    },
  );

  return (
    <Form
      form={form}
      submit="Submit"
      pending="Submitting…"
      disabled={!isComplete}
      onCancel={onDone}
      isInView
      checks
    >
      {children}
      <SelectField
        label={question}
        required
        options={OPTIONS}
        value={type}
        onChange={(event) => setType(event.target.value as ReportType)}
      />
      <MessageField
        label="What happened?"
        rows={4}
        required
        min={REPORT_DESCRIPTION_MIN}
        max={REPORT_DESCRIPTION_MAX}
        value={description}
        onChange={setDescription}
      />
    </Form>
  );
}
