import { CircleCheck, MapPin } from 'lucide-react';
import { useFindPosition } from '../../platform/position/use-find-position.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';

const WHY = [
  'Others see a rough distance, never where you are.',
  'Only while sharing is on; you can turn it off at any time.',
  'Your position is deleted soon after you stop.',
];

/** Explains location sharing, and asks for the browser's permission on request. */
export function LocationStep({ allowed, onAllowed }: { allowed: boolean; onAllowed: () => void }) {
  const { find, isFinding, problem } = useFindPosition();

  return (
    <>
      <ul className="flex flex-col gap-2">
        {WHY.map((reason) => (
          <li key={reason} className="flex gap-2.5">
            <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
            {reason}
          </li>
        ))}
      </ul>
      <div role="status" className="empty:hidden">
        {allowed && (
          <p className="flex items-center gap-2.5 rounded-control bg-accent-soft p-4 font-bold">
            <MapPin aria-hidden className="size-5 shrink-0 text-accent" />
            You can share on your walks.
          </p>
        )}
      </div>
      {!allowed && (
        <Button
          wide
          onClick={() => void find().then((found) => found && onAllowed())}
          pending={isFinding && 'Waiting for your location…'}
          Icon={MapPin}
        >
          Enable Location
        </Button>
      )}
      {problem && (
        <ErrorBanner title={problem}>
          You can complete the setup without it and turn sharing on later, from the dashboard. If
          your browser doesn’t ask again, allow location for this site in its settings.
        </ErrorBanner>
      )}
    </>
  );
}
