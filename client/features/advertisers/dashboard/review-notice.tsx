import { CircleCheck, CircleX, Hourglass, type LucideIcon } from 'lucide-react';
import type { Listing, TimedAd } from '#shared/advertisers/dashboard-contract.ts';

type Ad = TimedAd | Listing;

/** Whether the ad itself was rejected, not only a change. */
export const isRefused = ({ review }: Ad): boolean =>
  review?.of === 'ad' && review.state === 'refused';

/** Whether the ad isn't shown until it is approved. */
export const isAwaitingReview = ({ review }: Ad): boolean =>
  review?.of === 'ad' && review.state === 'waiting' && review.is_pending_approval;

/** The review status of an ad, or of its last change. */
export function ReviewNotice({ ad }: { ad: Ad }) {
  const notice = noticeOf(ad);
  if (!notice) return null;
  const { Icon, title, text } = notice;
  return (
    <p className="flex items-start gap-2 rounded-control bg-sunken p-3">
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
      <span className="min-w-0 break-words">
        <strong className="block">{title}</strong>
        <span>{text}</span>
        {isRefused(ad) && ad.status === 'cancelled' && ad.spent_cents === 0 && (
          <span className="block">We refunded your payment.</span>
        )}
      </span>
    </p>
  );
}

function noticeOf({ review, status }: Ad): {
  Icon: LucideIcon;
  title: string;
  text: string;
} | null {
  if (!review) return null;
  const { of, state, is_pending_approval: isPendingApproval, reason } = review;
  const isChange = of === 'change';
  switch (state) {
    case 'waiting':
      if (status === 'cancelled') return null;
      return {
        Icon: Hourglass,
        title: isChange ? 'Your change is being reviewed' : 'Your ad is being reviewed',
        text: isPendingApproval
          ? `We’ll review your ${isChange ? 'change' : 'ad'} before it goes live.`
          : status === 'scheduled'
            ? 'It starts on time, even if we aren’t done by then.'
            : 'Dog owners can see it while we review it.',
      };
    case 'approved':
      return {
        Icon: CircleCheck,
        title: isChange ? 'Your change is approved' : 'Your ad is approved',
        text: '',
      };
    case 'refused':
      return {
        Icon: CircleX,
        title: isChange
          ? 'Your change was rejected, so your ad stays as it was'
          : 'Your ad was rejected and isn’t shown',
        text: reason ?? '',
      };
    case 'not_reviewed':
      return {
        Icon: CircleX,
        title: 'Your ad didn’t run',
        text: 'We couldn’t review it in time, so we’re refunding you.',
      };
  }
}
