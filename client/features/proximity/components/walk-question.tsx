import type { ShownAlert } from '../alerts/shown-alert.ts';
import { useSilencing } from './use-silencing.ts';

/** Asks once whether to silence someone whom the owner walks with. */
export function WalkQuestion({ alert }: { alert: ShownAlert }) {
  const { silence, stopAsking } = useSilencing();
  const button = 'min-h-11 rounded-control px-4 font-bold';
  return (
    <div className="flex flex-wrap items-center gap-2 bg-surface p-3 text-ink">
      <p className="min-w-0 flex-1 basis-48">
        <strong>Walking together?</strong> Silence {alert.display_name} for this walk
      </p>
      <div className="ml-auto flex gap-2">
        <button
          type="button"
          onClick={() => stopAsking(alert)}
          className={`${button} border border-line-strong`}
        >
          Not now
        </button>
        <button
          type="button"
          onClick={() => silence(alert)}
          className={`${button} bg-accent text-on-accent`}
        >
          Silence
        </button>
      </div>
    </div>
  );
}
