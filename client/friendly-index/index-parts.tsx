import type { PartWords } from './labels.ts';

/** What a score is made of, part by part; to its owner also what raises each. */
export function IndexParts({ parts, isOwn }: { parts: PartWords[]; isOwn: boolean }) {
  return (
    <ul className="flex flex-col gap-5">
      {parts.map(({ part, title, points, score, because, advice }) => (
        <li key={part} className="flex flex-col gap-1.5">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <h3 className="font-bold">{title}</h3>
            <span className="font-bold tabular-nums">{points}</span>
          </div>
          <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-sunken">
            <div className="h-full rounded-full bg-accent" style={{ width: `${score}%` }} />
          </div>
          <p>{because}</p>
          {isOwn && <p className="text-sm text-soft">{advice}</p>}
        </li>
      ))}
    </ul>
  );
}
