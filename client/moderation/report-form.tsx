import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { toast } from 'sonner';
import {
  REPORT_DESCRIPTION_MAX,
  REPORT_DESCRIPTION_MIN,
  reportMessage,
  reportType,
  type ReportType,
} from '#shared/moderation/contract.ts';
import { sendLater } from '../sync/outbox.ts';
import type { CallInput } from '../sync/outbox-calls.ts';
import { useDocuments } from '../sync/use-document.ts';
import { Button } from '../ui/button.tsx';
import { REPORT_TYPES } from './names.ts';

type Documents = NonNullable<ReturnType<typeof useDocuments>>;
type Reasons = { report_type: ReportType; description: string };

/** What a report is about. */
export type Reported =
  | { type: 'message'; id: string; text: string }
  | { type: 'person' }
  | { type: 'picture'; image_key: string }
  | { type: 'friend_request'; request_id: string };

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
    return sendLater(
      documents,
      'reports.content',
      { body: bodyOf(reported, reported_user_id, reasons) },
      name,
    );
  const { id: message_id, text: message_text } = reported;
  return sendLater(
    documents,
    'reports.create',
    { body: { reported_user_id, message_id, ...reasons, message_text } },
    name,
  );
}

/** Reports something of somebody else; it goes to the moderators as soon as there is a network. */
export function ReportForm({
  reported,
  person,
  question,
  children,
  onDone,
}: {
  reported: Reported;
  /** The reported person. */
  person: { user_id: string; name: string };
  question: string;
  /** The reported content. */
  children?: ReactNode;
  onDone: () => void;
}) {
  const documents = useDocuments();
  const id = useId();
  const [type, setType] = useState<ReportType | ''>('');
  const [description, setDescription] = useState('');
  const [sending, setSending] = useState(false);
  const words = description.trim();
  const isComplete = type !== '' && words.length >= REPORT_DESCRIPTION_MIN;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!isComplete || !documents || sending) return;
    setSending(true);
    try {
      await send(documents, person, reported, { report_type: type, description: words });
      toast.success('Report submitted', {
        description: navigator.onLine
          ? 'Our moderators will look at it.'
          : 'Kept on this device, sent as soon as there is a connection.',
      });
      onDone();
    } catch (error) {
      console.error(reportMessage.failure, error);
      toast.error(reportMessage.failure);
      setSending(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {children}
      <div className="flex flex-col gap-1.5">
        <label htmlFor={`${id}-type`} className="font-bold">
          {question}
        </label>
        <select
          id={`${id}-type`}
          required
          value={type}
          onChange={(event) => setType(event.target.value as ReportType)}
          className="min-h-12 w-full rounded-control border border-line-strong bg-surface px-3 text-ink"
        >
          <option value="" disabled>
            Choose a reason
          </option>
          {reportType.options.map((each) => (
            <option key={each} value={each}>
              {REPORT_TYPES[each]}
            </option>
          ))}
        </select>
      </div>
      <div className="flex flex-col gap-1.5">
        <label htmlFor={`${id}-description`} className="font-bold">
          What happened?
        </label>
        <textarea
          id={`${id}-description`}
          rows={4}
          required
          minLength={REPORT_DESCRIPTION_MIN}
          maxLength={REPORT_DESCRIPTION_MAX}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
          aria-describedby={`${id}-count`}
          className="w-full rounded-control border border-line-strong bg-surface px-3.5 py-2 text-ink"
        />
        <p id={`${id}-count`} className="flex justify-between gap-3 text-sm text-soft tabular-nums">
          <span>At least {REPORT_DESCRIPTION_MIN} characters</span>
          <span>
            {description.length} of {REPORT_DESCRIPTION_MAX}
          </span>
        </p>
      </div>
      <div className="actions">
        <Button look="secondary" wide onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" wide disabled={!isComplete} pending={sending && 'Submitting…'}>
          Submit
        </Button>
      </div>
    </form>
  );
}
