import { Summary } from '../../platform/ui/layout/summary.tsx';
import type { ScoreComponent } from './labels.ts';

/** The components of a score; with advice if the reader is the owner. */
export function ScoreComponents({
  components,
  isOwn,
}: {
  components: ScoreComponent[];
  isOwn: boolean;
}) {
  return (
    <ul className="flex flex-col gap-5">
      {components.map(({ name, title, points, score, because, next, advice }) => (
        <li key={name} className="flex flex-col gap-1.5">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <h3 className="font-bold">{title}</h3>
            <span className="font-bold tabular-nums">{points}</span>
          </div>
          <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-sunken">
            <div className="h-full rounded-full bg-accent" style={{ width: `${score}%` }} />
          </div>
          <p>{because}</p>
          {isOwn && (
            <>
              <p className="font-bold">{next}</p>
              <details>
                <Summary className="text-sm text-soft">
                  How it’s counted<span className="sr-only">: {title}</span>
                </Summary>
                <p className="text-sm text-soft">{advice}</p>
              </details>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
