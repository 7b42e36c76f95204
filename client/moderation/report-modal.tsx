import { useId, useState, type FormEvent } from 'react';
import { toast } from 'sonner';
import type { CirclePerson } from '#shared/friends/document.ts';
import {
  REPORT_DESCRIPTION_MAX,
  REPORT_DESCRIPTION_MIN,
  reportMessage,
  reportType,
  type ReportType,
} from '#shared/moderation/contract.ts';
import { sendLater } from '../sync/outbox.ts';
import { useDocuments } from '../sync/use-document.ts';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { REPORT_TYPES } from './names.ts';

/** Reports a message of somebody else; it goes to the moderators as soon as there is a network. */
export default function ReportModal({
  message,
  person,
  onClose,
}: {
  message: { id: string; text: string };
  /** Who wrote it. */
  person: Pick<CirclePerson, 'user_id' | 'name'>;
  onClose: () => void;
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
      await sendLater(
        documents,
        'reports.create',
        {
          body: {
            reported_user_id: person.user_id,
            message_id: message.id,
            report_type: type,
            description: words,
            message_text: message.text,
          },
        },
        person.name,
      );
      toast.success('Report submitted', {
        description: navigator.onLine
          ? 'Our moderators will look at it.'
          : 'Kept on this device, sent as soon as there is a connection.',
      });
      onClose();
    } catch (error) {
      console.error(reportMessage.failure, error);
      toast.error(reportMessage.failure);
      setSending(false);
    }
  }

  return (
    <Modal
      open
      onClose={onClose}
      title="Report Message"
      description={`Only our moderators see it. ${person.name} is not told who reported.`}
    >
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <blockquote className="max-h-28 overflow-y-auto rounded-control border-l-4 border-line-strong bg-sunken px-3.5 py-2 break-words whitespace-pre-wrap">
          {message.text}
        </blockquote>
        <div className="flex flex-col gap-1.5">
          <label htmlFor={`${id}-type`} className="font-bold">
            What is wrong with it?
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
          <p
            id={`${id}-count`}
            className="flex justify-between gap-3 text-sm text-soft tabular-nums"
          >
            <span>At least {REPORT_DESCRIPTION_MIN} characters</span>
            <span>
              {description.length} of {REPORT_DESCRIPTION_MAX}
            </span>
          </p>
        </div>
        <div className="actions">
          <Button look="secondary" wide onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" wide disabled={!isComplete} pending={sending && 'Submitting…'}>
            Submit
          </Button>
        </div>
      </form>
    </Modal>
  );
}
