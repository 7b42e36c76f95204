import { Check, CircleAlert, ShieldCheck } from 'lucide-react';
import type { EmergencyAlert } from '#shared/alerts/contract.ts';
import { durationWords } from '../../platform/duration-words.ts';
import { Summary } from '../../platform/ui/layout/summary.tsx';
import { SEVERITY_LOOKS, SEVERITY_WORDS, untilWords } from './severity.tsx';
import { useAlerts } from './use-alerts.ts';

function AlertItem({ alert, onAcknowledge }: { alert: EmergencyAlert; onAcknowledge: () => void }) {
  const { Icon, look, iconLook } = SEVERITY_LOOKS[alert.severity];
  return (
    <li className={`flex flex-col gap-2 rounded-control border-2 p-3.5 ${look}`}>
      <div className="flex items-start gap-3">
        <Icon aria-hidden className={`mt-0.5 size-6 shrink-0 ${iconLook}`} />
        <div className="min-w-0 flex-1">
          <h3 className="font-bold break-words">{alert.title}</h3>
          <p className="text-sm">
            {SEVERITY_WORDS[alert.severity]} · {untilWords(alert.expires_at)}
          </p>
        </div>
      </div>
      {alert.instructions && (
        <p className="font-bold break-words whitespace-pre-line">{alert.instructions}</p>
      )}
      <details className="group">
        <Summary className="text-sm">More details</Summary>
        <p className="text-sm break-words whitespace-pre-line">{alert.description}</p>
      </details>
      <button
        type="button"
        onClick={onAcknowledge}
        className="flex min-h-11 items-center justify-center gap-2 rounded-control border-2 border-current px-4 font-bold"
      >
        <Check aria-hidden className="size-5" />
        Acknowledge<span className="sr-only"> {alert.title}</span>
      </button>
    </li>
  );
}

/** The emergency alerts where the owner is, most severe first; a single line if there are none. */
export function AlertCenter() {
  const { isAllowed, alerts, acknowledgedCount, oldMs, isPending, isFailed, acknowledge } =
    useAlerts();
  if (!isAllowed) return null;
  const quiet = isPending
    ? 'Loading alerts…'
    : isFailed
      ? 'Unable to load emergency alerts'
      : acknowledgedCount > 0
        ? `${acknowledgedCount} active ${acknowledgedCount === 1 ? 'alert' : 'alerts'} in your area, acknowledged`
        : 'No active alerts in your area';
  const age = oldMs === null ? '' : `, as of ${durationWords(oldMs)} ago`;
  return (
    <section
      aria-label="Alert center"
      className={
        alerts.length > 0
          ? 'flex flex-col gap-3 rounded-card border border-line bg-surface px-4 py-1.5 shadow-lift sm:px-5'
          : 'px-1'
      }
    >
      <div className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1">
        {alerts.length === 0 &&
          (isFailed && !isPending ? (
            <CircleAlert aria-hidden className="size-5 shrink-0 text-poor" />
          ) : (
            <ShieldCheck aria-hidden className="size-5 shrink-0 text-soft" />
          ))}
        <h2 className={alerts.length > 0 ? 'min-w-0 flex-1 text-lg font-bold' : 'sr-only'}>
          {alerts.length > 0
            ? `Alerts in your area (${alerts.length})${age}`
            : 'Alerts in your area'}
        </h2>
        <p role="status" className={alerts.length > 0 ? 'sr-only' : 'flex-1 basis-32 text-soft'}>
          {alerts.length > 0 ? `${alerts.length} active alerts` : quiet}
          {age}
        </p>
      </div>
      {alerts.length > 0 && (
        <ul
          aria-label="Active alerts"
          className="relative mb-2.5 flex max-h-96 flex-col gap-2.5 overflow-y-auto overscroll-contain"
        >
          {alerts.map((alert) => (
            <AlertItem key={alert.id} alert={alert} onAcknowledge={() => acknowledge(alert)} />
          ))}
        </ul>
      )}
    </section>
  );
}
