/** A placeholder for loading lines, as tall as they will be. */
export function Skeleton({ label, lines = 3 }: { label: string; lines?: number }) {
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-3">
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} aria-hidden className="h-12 rounded-control bg-sunken" />
      ))}
    </div>
  );
}
