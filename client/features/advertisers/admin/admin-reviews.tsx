import { useQuery } from '@tanstack/react-query';
import { toast } from 'sonner';
import type { z } from 'zod';
import {
  approveAdReview,
  listAdReviews,
  refuseAdReview,
  type ReviewItem,
} from '#shared/advertisers/review-contract.ts';
import { dollars } from '#shared/money.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { waitWords } from '../../../platform/admin/format.ts';
import { useLatestRow } from '../../../platform/admin/list/use-latest-row.ts';
import { toastError } from '../../../platform/admin/toast-error.ts';
import { Form } from '../../../platform/forms/form.tsx';
import { singleFlight } from '../../../platform/forms/single-flight.ts';
import { useSubmit } from '../../../platform/forms/use-submit.ts';
import { call } from '../../../platform/http/api.ts';
import { EmptyState } from '../../../platform/illustrations/empty-state.tsx';
import { useTyped } from '../../../platform/session/sign-in-again.ts';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../../platform/ui/dialogs/use-dialog-param.ts';
import { RetryBanner } from '../../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { SelectField } from '../../../platform/ui/inputs/select-field.tsx';
import { nameOf, refresh } from './admin-actions.ts';
import { ReasonField } from './reason-field.tsx';
import { ReviewCard } from './review-card.tsx';

/** Defined outside the hook, so that an unchanged answer stays the same object. */
const withIds = ({ items, total }: z.output<typeof listAdReviews.answer>) => ({
  total,
  items: items.map((item) => ({ ...item, id: idOf(item) })),
});

/** The review queue, which other admins work on, too. */
export const useAdReviews = () =>
  useQuery({
    queryKey: ['admin', 'ad-reviews'],
    queryFn: () => call(listAdReviews),
    select: withIds,
    staleTime: 0,
    refetchInterval: MINUTE_MS,
  });

const idOf = ({ ad }: ReviewItem) => String(ad.id);

/** Approves the version that the admin has seen, and shows the result. */
const approve = (item: ReviewItem) =>
  singleFlight(idOf(item), async () => {
    const { version } = item;
    try {
      await call(approveAdReview, { params: { id: idOf(item) }, body: { version } });
      toast(`“${nameOf(item.ad)}” is approved`);
    } catch (error) {
      toastError(error);
    }
    await refresh();
  });

/** Ads and changes that need review, most urgent first. */
export function AdminReviews() {
  const asked = useAdReviews();
  const { opened, id, open, close } = useDialogParam();
  const { data, error } = asked;
  // Another admin may decide while a reason is typed here.
  const refused = useLatestRow(data?.items, opened === 'refuse' ? id : null);

  async function refuse(item: ReviewItem, reason: string) {
    try {
      const body = { version: item.version, reason };
      await call(refuseAdReview, { params: { id: idOf(item) }, body });
      toast(`“${nameOf(item.ad)}” is rejected`);
      void close();
    } finally {
      await refresh();
    }
  }

  if (error && !data) return <RetryBanner title={listAdReviews.failure} asked={asked} />;
  if (!data) return <Skeleton label="Loading ads to review…" lines={6} asked={asked} />;
  return (
    <section aria-label="Review queue" className="flex flex-col gap-4">
      <p role="status" className={data.total > 0 ? 'text-soft' : 'sr-only'}>
        {waitWords(data.total, 'ad', 'review')}
      </p>
      {data.total === 0 && (
        <EmptyState illustration="calm">
          You’re all caught up. New ads and changes wait here until someone approves or rejects
          them.
        </EmptyState>
      )}
      {data.items.map((item) => (
        <ReviewCard
          key={idOf(item)}
          item={item}
          onApprove={() => void approve(item)}
          onRefuse={() => open('refuse', idOf(item))}
        />
      ))}
      {data.total > data.items.length && (
        <p className="text-soft">More ads appear as you work through these.</p>
      )}
      <Modal
        open={refused !== undefined}
        onClose={close}
        title={refused?.before ? 'Reject change' : 'Reject ad'}
      >
        {refused && (
          <RefuseForm
            key={idOf(refused)}
            item={refused}
            refuse={(reason) => refuse(refused, reason)}
            onCancel={close}
          />
        )}
      </Modal>
    </section>
  );
}

/** Common reasons, shown to the advertiser. */
const REASONS = [
  'The ad promotes something that can hurt dogs or people.',
  'The link doesn’t lead to what the ad says.',
  'The ad is misleading.',
  'The text or photo is offensive.',
  'The ad isn’t relevant to dog owners.',
] as const;
const OPTIONS = [
  { value: '', name: 'Write a reason' },
  ...REASONS.map((reason) => ({ value: reason, name: reason })),
];

/** Rejects an ad, or a change of one, with a reason. */
function RefuseForm({
  item,
  refuse,
  onCancel,
}: {
  item: ReviewItem;
  /** @throws CallError if it wasn't rejected */
  refuse: (reason: string) => Promise<void>;
  onCancel: () => void;
}) {
  const [reason, setReason] = useTyped('refuse-reason', '');
  const refund = item.refund_cents === null ? '' : ` and refund ${dollars(item.refund_cents)}`;

  const form = useSubmit(() => refuse(reason));

  return (
    <Form
      form={form}
      submit={`Reject${refund}`}
      look="danger"
      pending="Working…"
      onCancel={onCancel}
      checks
    >
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
      <ReasonField value={reason} onChange={setReason} />
    </Form>
  );
}

function consequence({ before, refund_cents }: ReviewItem): string {
  if (before) return 'People keep seeing the approved version. Nothing is refunded.';
  return refund_cents === null
    ? 'It has already ended, so nothing is refunded.'
    : 'It won’t be shown, and the payment goes back to the card.';
}
