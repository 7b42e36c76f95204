import { CalendarClock } from 'lucide-react';
import { formatLongDate } from '#shared/dates.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { RENEW_OPEN, endsSoon } from './renewal.ts';

/** Says that the user's access ends soon. */
export function AccessReminder() {
  const user = useUser();
  if (!user?.access_expires_at || !endsSoon(user)) return null;
  return (
    <section
      aria-label="Access"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border-2 border-accent bg-accent-soft p-4"
    >
      <CalendarClock aria-hidden className="size-6 shrink-0 text-accent" />
      <p className="min-w-0 flex-1 basis-52 font-bold">
        Your access ends on {formatLongDate(user.access_expires_at)}.
      </p>
      <ButtonLink to={`?open=${RENEW_OPEN}`}>Renew</ButtonLink>
    </section>
  );
}
