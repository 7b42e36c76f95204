import { LEASH } from '../../../platform/ui/layout/leash-badge.tsx';
import { PHRASES, PhraseIcon } from '../alerts/phrases.tsx';
import type { ShownAlert } from '../alerts/shown-alert.ts';
import { soundOf } from '../alerts/verdict.ts';
import { ShownDistance } from './shown-distance.tsx';

/** How many alerts are shown below the first, each in one line. */
export const MORE_SHOWN = 2;

/** An alert in a line or two, of which nothing is cut: several dogs are counted. */
export function AlertLine({ alert, className }: { alert: ShownAlert; className: string }) {
  const { Icon } = LEASH[soundOf(alert)];
  const { theirs } = alert.answers;
  return (
    <p className={`flex items-center font-bold ${className}`}>
      {theirs === null ? (
        <Icon aria-hidden className="size-6 shrink-0" />
      ) : (
        <PhraseIcon phrase={theirs} className="size-6" />
      )}
      <span className="min-w-0 flex-1 leading-tight wrap-anywhere">
        {theirs === null ? (
          <span>{`${alert.brief} ${alert.verdict}`}</span>
        ) : (
          <>
            <span>“{PHRASES[theirs].short}”</span> <span>{alert.brief}</span>
            <span className="sr-only"> {alert.verdict}</span>
          </>
        )}
      </span>
      <span className="whitespace-nowrap tabular-nums">
        <ShownDistance feet={alert.distance_feet} />
      </span>
    </p>
  );
}
