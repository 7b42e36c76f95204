import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { toast } from 'sonner';
import { formatTime } from '#shared/dates.ts';
import { nameWithNote } from '#shared/friends/lookalikes.ts';
import { noticeText, plannedWalkPath } from '#shared/planned-walks/rules.ts';
import { useLeadingTab } from '../../platform/events/leading-tab-provider.tsx';
import { markShown } from '../../platform/events/shown-notices.ts';
import { useLookalikes } from '../friends/lookalike-note.tsx';
import { refetchPlannedWalks } from './use-planned-walks.ts';

const SHOWN_MS = 10_000;

/** Shows invitations, answers and reminders that come while the app is open. */
export default function PlannedWalkNotices() {
  const tab = useLeadingTab();
  const navigate = useNavigate();
  const lookalikeOf = useLookalikes();
  const noted = useEffectEvent((userId: string, name: string) =>
    nameWithNote(name, lookalikeOf(userId, name)),
  );
  useEffect(
    () =>
      tab.onEvent((event) => {
        if (event.type !== 'planned_walk') return;
        void refetchPlannedWalks();
        if (!event.announced) return;
        const { id, notice, user_id = '', name, starts_at, push_key } = event.announced;
        markShown(push_key);
        const text =
          notice === 'reminder'
            ? `Your walk starts at ${formatTime(starts_at)}.`
            : noticeText(notice, noted(user_id, name));
        toast(text, {
          id: `planned-walk:${id}:${notice}:${user_id}`,
          duration: SHOWN_MS,
          action: {
            label: 'Show',
            onClick: () => void navigate(plannedWalkPath(id)),
          },
        });
      }),
    [tab, navigate],
  );
  return null;
}
