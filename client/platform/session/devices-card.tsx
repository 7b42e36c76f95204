import { useQuery } from '@tanstack/react-query';
import { LogOut, MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { formatDate } from '#shared/dates.ts';
import {
  endOtherSessions,
  endSession,
  listSessions,
  type SessionEntry,
} from '#shared/session/devices-contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { useAction } from '../forms/use-action.ts';
import { isNotFound } from '../http/api-client.ts';
import { call } from '../http/api.ts';
import { messageOf } from '../http/error-message.ts';
import { queries } from '../http/query-client.ts';
import { Button } from '../ui/buttons/button.tsx';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { RetryBanner } from '../ui/feedback/retry-banner.tsx';
import { Skeleton } from '../ui/feedback/skeleton.tsx';
import { Card } from '../ui/layout/card.tsx';
import { useUser } from './use-auth.tsx';

const startOfDay = (at: number) => new Date(at).setHours(0, 0, 0, 0);

/** Formats when a session was last used, by day: the server knows the hour at best. */
function lastUseWords(lastUsedAt: string, now = Date.now()): string {
  const at = Date.parse(lastUsedAt);
  if (at >= startOfDay(now)) return 'Last used today';
  if (at >= startOfDay(startOfDay(now) - DAY_MS / 2)) return 'Last used yesterday';
  return `Last used ${formatDate(at)}`;
}

/** Where the owner is signed in, and signing out there. */
export function DevicesCard() {
  const userId = useUser()?.id ?? '';
  const key = ['sessions', userId];
  const asked = useQuery({ queryKey: key, queryFn: () => call(listSessions), staleTime: 0 });
  const [ending, setEnding] = useState<SessionEntry | 'others' | null>(null);
  const sessions = asked.data?.sessions;
  const others = sessions?.filter(({ is_current }) => !is_current) ?? [];

  const [end, ends] = useAction(async (which: SessionEntry | 'others') => {
    try {
      if (which === 'others') await call(endOtherSessions);
      else await call(endSession, { params: { id: which.id } });
      toast(which === 'others' ? 'Signed out everywhere else' : `Signed out ${which.device}`);
    } catch (error) {
      // It was already signed out elsewhere.
      if (!isNotFound(error)) toast.error(messageOf(error));
    }
    await queries.invalidateQueries({ queryKey: key });
  });

  return (
    <Card title="Where you’re signed in" id="devices">
      <div className="flex flex-col gap-3">
        {asked.error && <RetryBanner title={listSessions.failure} asked={asked} />}
        {!sessions && !asked.error && (
          <Skeleton label="Loading your devices…" lines={2} asked={asked} />
        )}
        {sessions && (
          <ul className="flex flex-col gap-2">
            {sessions.map((session) => (
              <li
                key={session.id}
                className="flex items-center gap-3 rounded-control border border-line py-1.5 pr-1.5 pl-3.5"
              >
                <MonitorSmartphone aria-hidden className="size-5 shrink-0 text-soft" />
                <div className="min-w-0 flex-1">
                  <p className="font-bold break-words">{session.device}</p>
                  <p className="text-sm text-soft">
                    {session.is_current ? 'This device' : lastUseWords(session.last_used_at)}
                    {', signed in '}
                    {formatDate(session.created_at)}
                  </p>
                </div>
                {!session.is_current && (
                  <IconButton
                    Icon={LogOut}
                    label={`Sign out ${session.device}`}
                    onClick={() => setEnding(session)}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
        {others.length > 0 && (
          <Button
            look="secondary"
            wide
            pending={ends && 'Signing out…'}
            onClick={() => setEnding('others')}
            Icon={LogOut}
          >
            Sign out everywhere else
          </Button>
        )}
      </div>
      <ConfirmDialog
        isHarmless
        open={ending !== null}
        title={
          ending === 'others' ? 'Sign out everywhere else?' : `Sign out ${ending?.device ?? ''}?`
        }
        description={
          ending === 'others'
            ? `You’ll stay signed in here. ${others.length === 1 ? '1 other device' : `${others.length} other devices`} will have to sign in again.`
            : 'That device will have to sign in again. Its data is removed as soon as it’s online.'
        }
        yes="Sign out"
        onYes={() => ending && void end(ending)}
        onClose={() => setEnding(null)}
      />
    </Card>
  );
}
