import { useState, type FormEvent } from 'react';
import { TAKE_DOWN_REASON_MAX } from '#shared/advertisers/reasons.ts';
import type { ReviewItem } from '#shared/advertisers/review-contract.ts';
import { dollars } from '#shared/money.ts';
import { useTyped } from '../session/sign-in-again.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { MessageField } from '../ui/message-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { nameOf } from './admin-acts.ts';

/** Reasons that advertisers read often. */
const REASONS = [
  'The ad promotes something that can hurt dogs or people.',
  'The link doesn’t lead to what the ad says.',
  'The ad is misleading.',
  'The words or the picture are offensive.',
  'The ad isn’t relevant to dog owners.',
] as const;
const OPTIONS = [
  { value: '', name: 'Write a reason' },
  ...REASONS.map((reason) => ({ value: reason, name: reason })),
];

/** Asks why an ad, or a change of one, is refused. */
export function RefuseForm({
  item,
  refuse,
}: {
  item: ReviewItem;
  /** @throws CallError when it was not refused */
  refuse: (reason: string) => Promise<void>;
}) {
  const [reason, setReason] = useTyped('refuse-reason', '');
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState('');
  const refund = item.refund_cents === null ? '' : ` and refund ${dollars(item.refund_cents)}`;

  async function save(event: FormEvent) {
    event.preventDefault();
    setSaving(true);
    setProblem('');
    try {
      await refuse(reason);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setSaving(false);
    }
  }

  return (
    <form onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
      <p>
        <strong className="block break-words">{nameOf(item.ad)}</strong>
        <span className="text-soft">{consequence(item)} The advertiser gets an email.</span>
      </p>
      <SelectField
        label="Common reasons"
        options={OPTIONS}
        value={OPTIONS.find(({ value }) => value === reason)?.value ?? ''}
        onChange={({ target }) => setReason(target.value)}
      />
      <MessageField
        label="Reason"
        hint="The advertiser reads it"
        required
        rows={4}
        max={TAKE_DOWN_REASON_MAX}
        value={reason}
        onChange={setReason}
      />
      {problem && <ErrorBanner>{problem}</ErrorBanner>}
      <Button type="submit" wide pending={saving && 'Working…'}>
        Refuse{refund}
      </Button>
    </form>
  );
}

function consequence({ before, refund_cents }: ReviewItem): string {
  if (before) return 'People see the version that was approved before. Nothing is refunded.';
  return refund_cents === null
    ? 'Its time is over, so nothing is refunded.'
    : 'Nobody sees it then, and the money goes back to the card.';
}
