import { LEASH } from '../../../platform/ui/layout/leash-badge.tsx';
import type { ShownAlert } from '../alerts/shown-alert.ts';
import { soundOf } from '../alerts/verdict.ts';
import { ShownDistance } from './shown-distance.tsx';

/** How many alerts are shown below the first, each in one line. */
export const MORE_SHOWN = 2;

/** An alert in a line or two, of which nothing is cut: several dogs are counted. */
export function AlertLine({ alert, className }: { alert: ShownAlert; className: string }) {
  const { Icon } = LEASH[soundOf(alert)];
  return (
    <p className={`flex items-center font-bold ${className}`}>
      <Icon aria-hidden className="size-6 shrink-0" />
      <span className="min-w-0 flex-1 leading-tight wrap-anywhere">
        {alert.brief} {alert.verdict}
      </span>
      <span className="whitespace-nowrap tabular-nums">
        <ShownDistance feet={alert.distance_feet} />
      </span>
    </p>
  );
}
