import { TAKE_DOWN_REASON_MAX } from '#shared/advertisers/reasons.ts';
import type { ReviewItem } from '#shared/advertisers/review-contract.ts';
import { dollars } from '#shared/money.ts';
import { useTyped } from '../../session/sign-in-again.ts';
import { Form } from '../../forms/form.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { MessageField } from '../../ui/message-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { nameOf } from './admin-actions.ts';

/** Common reasons, shown to the advertiser. */
const REASONS = [
  'The ad promotes something that can hurt dogs or people.',
  'The link doesn’t lead to what the ad says.',
  'The ad is misleading.',
  'The text or picture is offensive.',
  'The ad isn’t relevant to dog owners.',
] as const;
const OPTIONS = [
  { value: '', name: 'Write a reason' },
  ...REASONS.map((reason) => ({ value: reason, name: reason })),
];

/** Rejects an ad, or a change of one, with a reason. */
export function RefuseForm({
  item,
  refuse,
}: {
  item: ReviewItem;
  /** @throws CallError if it wasn't rejected */
  refuse: (reason: string) => Promise<void>;
}) {
  const [reason, setReason] = useTyped('refuse-reason', '');
  const refund = item.refund_cents === null ? '' : ` and refund ${dollars(item.refund_cents)}`;

  const form = useSubmit(() => refuse(reason));

  return (
    <Form form={form} submit={`Reject${refund}`} pending="Working…" noValidate={false}>
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
        hint="Shown to the advertiser"
        required
        rows={4}
        max={TAKE_DOWN_REASON_MAX}
        value={reason}
        onChange={setReason}
      />
    </Form>
  );
}

function consequence({ before, refund_cents }: ReviewItem): string {
  if (before) return 'People keep seeing the approved version. Nothing is refunded.';
  return refund_cents === null
    ? 'It has already ended, so nothing is refunded.'
    : 'It won’t be shown, and the payment goes back to the card.';
}
