import { useState } from 'react';
import { toast } from 'sonner';
import { reportProblem, type LocationReportType } from '#shared/locations/contract.ts';
import { REPORT_DESCRIPTION_MAX } from '#shared/locations/rules.ts';
import { Form } from '../../../platform/forms/form.tsx';
import { InvalidForm, useSubmit } from '../../../platform/forms/use-submit.ts';
import type { Answered } from '../../../platform/sync/outbox/send-soon.ts';
import { MessageField } from '../../../platform/ui/inputs/message-field.tsx';
import { REPORT_WORDS } from './report-reasons.ts';
import { usePlaceActions } from './use-place-actions.ts';

/** Reports a problem with a place or a tip. */
export function ReportForm({
  subject,
  onDone,
}: {
  subject: { location_id: string; tip_id?: string | undefined };
  onDone: () => void;
}) {
  const { report } = usePlaceActions();
  const [type, setType] = useState<LocationReportType | null>(null);
  const [description, setDescription] = useState('');
  const reasons = Object.entries(REPORT_WORDS[subject.tip_id ? 'tip' : 'location']) as [
    LocationReportType,
    string,
  ][];

  const form = useSubmit(async () => {
    if (!type) throw new InvalidForm({});
    let answered: Answered;
    try {
      answered = await report(subject, type, description);
    } catch (error) {
      console.error('Failed to store the report', error);
      throw new InvalidForm({}, reportProblem.failure);
    }
    if (answered === 'done') toast('Thank you. An admin will review it.');
    if (answered === 'waiting')
      toast('Your report is saved on this device. We’ll send it as soon as we can.');
    onDone();
  });

  return (
    <Form
      form={form}
      submit="Send report"
      pending="Sending…"
      disabled={!type}
      onCancel={onDone}
      isInView
      checks
    >
      <fieldset className="flex flex-col">
        <legend className="mb-1 font-bold">What’s wrong?</legend>
        {reasons.map(([value, label]) => (
          <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="radio"
              name="report_type"
              checked={type === value}
              onChange={() => setType(value)}
              className="size-5 shrink-0 accent-accent"
            />
            {label}
          </label>
        ))}
      </fieldset>
      <MessageField
        label="What should we know?"
        value={description}
        onChange={setDescription}
        max={REPORT_DESCRIPTION_MAX}
      />
    </Form>
  );
}
