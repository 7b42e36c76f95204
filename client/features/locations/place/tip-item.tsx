import { Flag, Pencil, ThumbsUp, Trash2 } from 'lucide-react';
import { formatDate } from '#shared/dates.ts';
import type { LocationTip, ReadTip } from '#shared/locations/schemas.ts';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';
import { LookalikeNote } from '../../friends/lookalike-note.tsx';
import { isWaitingId } from '../optimistic-places.ts';
import { TIP_KINDS } from '../place-types.ts';
import { authorName } from './author-name.ts';

export interface TipActions {
  onVote: (tip: LocationTip, isHelpful: boolean) => void;
  onEdit: (tip: LocationTip) => void;
  onRemove: (tip: LocationTip) => void;
  onReport: (tip: LocationTip) => void;
}

const helpfulWords = (count: number) =>
  count === 1 ? '1 person found this helpful' : `${count} people found this helpful`;

/** A tip about a place, with the reader's actions. */
export function TipItem({
  tip,
  isOwn,
  actions,
}: {
  tip: ReadTip | LocationTip;
  isOwn: boolean;
  actions: TipActions;
}) {
  const { name, Icon } = TIP_KINDS[tip.tip_type];
  const isHelpful = 'is_helpful' in tip && tip.is_helpful;
  const isWaiting = isWaitingId(tip.id);
  const icon = 'size-5 shrink-0';
  return (
    <li className="flex flex-col gap-1 py-3 first:pt-0 last:pb-0">
      <div className="flex items-start gap-2.5">
        <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
        <div className="min-w-0 flex-1">
          <h3 className="font-bold break-words">{tip.title}</h3>
          <p className="text-sm text-soft">
            <span>
              {name} · {authorName(tip.author_name, isOwn)}
              {' · '}
            </span>
            <time dateTime={tip.created_at}>{formatDate(tip.created_at)}</time>
            {!tip.is_public && <span>{' · only for you'}</span>}
            {isWaiting && <span>{' · not sent yet'}</span>}
          </p>
          <LookalikeNote userId={tip.creator_user_id ?? ''} name={tip.author_name ?? ''} />
        </div>
      </div>
      <p className="break-words whitespace-pre-line">{tip.content}</p>
      <div className="-mb-1.5 -ml-3 flex flex-wrap items-center">
        {isOwn ? (
          <span className="px-3 text-sm text-soft">
            {tip.is_helpful_count > 0 && helpfulWords(tip.is_helpful_count)}
          </span>
        ) : (
          <button
            type="button"
            aria-pressed={isHelpful}
            onClick={() => actions.onVote(tip, !isHelpful)}
            className="group inline-flex min-h-11 items-center gap-2 rounded-control px-3 text-sm font-bold hover:bg-sunken aria-pressed:text-accent"
          >
            <ThumbsUp aria-hidden className={`${icon} group-aria-pressed:fill-accent-soft`} />
            Helpful
            <span className="tabular-nums">
              <span aria-hidden>{tip.is_helpful_count || ''}</span>
              <span className="sr-only">: {helpfulWords(tip.is_helpful_count)}</span>
            </span>
          </button>
        )}
        <span className="flex-1" />
        {isOwn && !isWaiting && (
          <>
            <IconButton
              Icon={Pencil}
              label={`Edit the tip ${tip.title}`}
              onClick={() => actions.onEdit(tip)}
            />
            <IconButton
              Icon={Trash2}
              label={`Remove the tip ${tip.title}`}
              onClick={() => actions.onRemove(tip)}
            />
          </>
        )}
        {!isOwn && (
          <IconButton label={`Report the tip ${tip.title}`} onClick={() => actions.onReport(tip)}>
            <Flag aria-hidden className="size-5 shrink-0 text-soft" />
          </IconButton>
        )}
      </div>
    </li>
  );
}
